"""English words that stand for each other in a policy, a group each."""

from policy_rag_parsers.text.lexicon.record import listed

ENGLISH_FORMS = tuple(
    tuple(group.split())
    for group in (
        "lose loses lost losing loss losses",
        "steal steals stole stolen stealing theft thefts",
        "break breaks broke broken breakage",
        "fly flies flew flown flight flights",
        "drive drives drove driven driving driver drivers",
        "ride rides rode ridden riding",
        "sell sells sold selling sale sales",
        "pay pays paid payment payments",
        "spend spends spent spending",
        "lend lends lent lending loan loans",
        "send sends sent sending",
        "choose chooses chose chosen choice choices",
        "wear wears wore worn wearing",
        "write writes wrote written",
        "hold holds held holding",
        "keep keeps kept keeping",
        "buy buys bought buying",
        "bring brings brought bringing",
        "tell tells told telling",
        "speak speaks spoke spoken",
        "hide hides hid hidden",
        "forget forgets forgot forgotten",
        "teach teaches taught teacher teachers",
        "catch catches caught",
        "throw throws threw thrown",
        "withdraw withdraws withdrew withdrawn withdrawal",
        "fall falls fell fallen",
        "freeze freezes froze frozen",
        "swear swears swore sworn",
        "seek seeks sought",
        "die dies died dying death deaths",
        "marry marries married marriage marriages wedding weddings",
        "weigh weighs weight weights",
        "grow grows grew grown growth",
        "child children",
        "wife wives spouse spouses husband husbands",
        "woman women",
        "man men",
        "tooth teeth dental",
        "foot feet",
        "hurt hurts hurting injure injures injured injury injuries",
        "sick sickness ill illness illnesses",
        "tardy tardiness late lateness",
        "quit quits quitting resign resigns resigned resigning resignation",
        "permit permits permitted permission permissions",
        "submit submits submitted submission submissions",
        "comply complies complied complying compliance compliant",
        "discipline disciplined disciplinary",
        "safe safely safety",
        "private privacy",
        "vacation vacations pto holiday holidays",
        "present presents gift gifts",
        "weed marijuana cannabis",
    )
)
ENGLISH_SYNONYMS = tuple(
    listed(group)
    for group in (
        "leave holiday holidays vacation",
        "pay paid salary salaries wage wages remuneration",
        "illness ill sick sickness",
        "car cars vehicle vehicles",
        "fee fees charge charges price cost costs",
        "allowance entitlement",
    )
)
ENGLISH_ROLES = tuple(
    listed(group)
    for group in (
        "officer officers",
        "manager managers supervisor supervisors boss superior superiors",
        "head heads leader leaders",
        "director directors",
        "board boards",
        "committee committees",
        "council councils",
        "dean deans",
        "chair chairs chairman chairwoman chairperson chaired",
        "president presidents",
        "secretary secretaries",
        "counsel lawyer lawyers attorney solicitor legal",
        "registrar registry",
        "pharmacist pharmacists",
        "nurse nurses",
        "doctor doctors physician physicians consultant consultants gp",
        "auditor auditors audit",
        "commissioner commissioners",
        "ombudsman ombudsperson ombudswoman",
        "dispatcher dispatchers",
        "inspector inspectors",
    )
)
