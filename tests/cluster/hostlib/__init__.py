"""Hosts made of Linux namespaces; see ../hosts for what they are and how they are used."""
