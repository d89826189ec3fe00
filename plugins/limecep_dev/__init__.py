"""`limecep dev brokers`: the brokers of transports on this machine."""
