"""For all tests: a Ctrl-C works in the processes they start, even where the tests run in the background."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background jobs ignore it, and pass that on
    signal.signal(signal.SIGINT, signal.default_int_handler)
