"""The cut network for real: importance from trained weights, stages in torch, accuracy measured after fine-tuning."""
