"""Every choice that can be set, in groups; files, variables, grids and arguments use the names of the fields alone."""

from policy_rag.settings.call_settings import AnswerChanges, SearchChanges, SettingChanges
from policy_rag.settings.groups import Affects, SearchOptions, SupportModel
from policy_rag.settings.loading import SETTINGS_FILE, load_settings, origins, unknown_variables
from policy_rag.settings.settings import ALL_SETTINGS, Settings, names_affecting

__all__ = [
    "ALL_SETTINGS",
    "SETTINGS_FILE",
    "Affects",
    "AnswerChanges",
    "SearchChanges",
    "SearchOptions",
    "SettingChanges",
    "Settings",
    "SupportModel",
    "load_settings",
    "names_affecting",
    "origins",
    "unknown_variables",
]
