"""What people do to a hall: every act, who may do it, and the one way it is done, whichever screen it is wished on."""
