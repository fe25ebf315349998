"""The hall in a browser: pages for referees, organisers and the public, made of the same views and the same acts as the
screens in a terminal. One process serves all of them:

    browser ── http(s) ── application ── pages ──── Watch: the event read once, for all who look
       │                      │            └── acts ── Performer: asks the role of the session, whatever a form says
       └── server-sent events ┴── Pictures: what many look at is drawn once, and sent as far as it is another

Times are counted in the page, by the desk's clock: a tick costs no traffic. Everything works without scripts but what
is live. Of other people's code a page carries one file, idiomorph (assets/idiomorph.min.js, 0.8.0, zero-clause BSD),
which lays new HTML over old so that focus, scroll and what is typed stay; events come over the browser's own
EventSource.
"""
