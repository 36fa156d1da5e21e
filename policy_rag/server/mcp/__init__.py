"""The index for assistants of other makers, by the Model Context Protocol: four tools that read, over HTTP or stdio."""
