"""How well the eyes see: trials on simulated tables and on real photographs."""
