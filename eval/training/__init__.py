"""How the reader is made: data, training, measuring, export. Not part of the wheel."""
