"""What a document says of itself."""
