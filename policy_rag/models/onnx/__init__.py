"""Models through ONNX Runtime."""
