"""CHI, by Shane Gelven, published by Gelvo Games."""
