"""The screens in a browser: log-in, sessions and roles are ours; a terminal in the page is textual-serve's.

textual-serve carries a Textual app into a page and knows no log-in: whoever reaches its port holds the keyboard (one
password for everybody is a pull request there that was not merged). A proxy with a password in front of it would leave
the port behind open to every program of this computer, and could not tell a referee from the public. So the application
that listens is this package's own; of textual-serve it takes what runs the app (`AppService`) and the page's files
(`static`).

    browser ── https ── application ── pipes ── the screen's process
                            │                        │ wishes, over a loopback socket
                            └──── Handing ◄──────────┘ with a token that counts once
                                     │
                                 Performer: asks the role of the session, whatever the process says

A screen's process opens the event to read only. What is done is done here, by the role that logged in.
"""
