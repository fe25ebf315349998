"""The numbers that box and desk share for what happens at a table. Never renumber: they are on flash and in ledgers.

A fact inside the core is the tuple `(kind, at, game, move, seat, code, a, b, c)`: `at` in milliseconds of box uptime,
game and move counted from 1 (0: none), seat 0..3 for A..D (`NOBODY`: none); `code`, `a`, `b`, `c` mean what the kind's
line says. The desk's names for all of them are in `dalej.domain.game.facts`.
"""

# Kinds. The comment gives the payload: code / a / b / c. `bank` is the count of tiles left after the fact.
BOOTED = 1  # code reset cause / a firmware version / - / bank
CONFIGURED = 2  # seat the starter; code by whom / a limit_ms / b seats mask / c bank
GAME_STARTED = 3  # seat the starter; code by whom / a limit_ms / - / c bank
MOVE_STARTED = 4  # code 1 taken over after its time / a time of this move in ms / b `more` of C_TAKE_OVER / c bank
TILE_DRAWN = 5  # seat and move the tile belongs to; code 1 counted, 0 only recorded / a elapsed_ms / - / c bank
MOVE_ENDED = 6  # code how / a elapsed_ms / b 1 if a tile was drawn in it / c bank
TIME_RAN_OUT = 7  # - / a elapsed_ms / b 1 if a tile was drawn in the move / c bank
TABLE_RESTORED = 8  # seat and move that were late; code verdict / a overrun_ms / b tiles of the verdict / c bank
CLICKED_BEFORE_DRAWING = 9  # seat and move that passed
DALEJ_REFUSED = 10
RESTART_CLAIMED = 11  # seat and move that are to start again
CLAIM_DENIED = 12
MOVE_RESTARTED = 13  # code by whom / a remaining_ms
OPENING_ANNOUNCED = 14
DISPUTE_RAISED = 15  # seat and move the dispute concerns; code 1 the clock stops at once, 0 when that move ends
CALL_WITHDRAWN = 16
REFEREE_CALLED = 17
CLOCK_STOPPED = 18  # code reason / a remaining_ms / b by whom
CLOCK_RESUMED = 19  # code by whom / a stopped_ms / b remaining_ms
TIME_CORRECTED = 20  # - / a remaining_ms
EXTRA_TIME_GIVEN = 21  # - / a remaining_ms / b extra_ms
SEAT_CHANGED = 22  # seat the new one; - / a the seat before (NOBODY: none)
SEAT_WITHDRAWN = 23
BANK_CORRECTED = 24  # - / a bank before / - / c bank
FINAL_LAP_BEGUN = 25  # code reason of the game's end
GAME_ENDED = 26  # seat the winner if it is known; code reason of the game's end
GAME_REOPENED = 27  # code how / a remaining_ms
GAME_REDEALT = 28  # - / - / - / c bank
STRAY_TAP = 29  # code contact / a 1 if held
BATTERY_LOW = 30  # - / a millivolts
COMMAND_APPLIED = 31  # code command / a id
COMMAND_REFUSED = 32  # code command / a id / - / c why
RECORDS_LOST = 33  # - / a from seq / b to seq
FAULT = 34  # code fault / a detail

# Seats, clockwise.
SEAT_A = 0
SEAT_B = 1
SEAT_C = 2
SEAT_D = 3
NOBODY = 255

# Contacts. Seat s has Już at 2 s and Dalej at 2 s + 1; a smaller build shares one of each among the seats.
KOSTKA = 8
SEDZIA = 9
SHARED_JUZ = 10
SHARED_DALEJ = 11
CONTACTS = 12

# States of the clock.
IDLE = 0
READY = 1
RUNNING = 2
EXPIRED = 3
STOPPED = 4
OVER = 5

# How a move ended.
BY_JUZ = 0
BY_DALEJ = 1
BY_TIMEOUT = 2
BY_EMPTY_RACK = 3
BY_DESK = 4
BY_WITHDRAWAL = 5

# Who did it.
TABLE = 0
DESK = 1
BOX = 2

# What the table says of a late move.
STANDS = 0
UNDONE = 1

# Why the clock is stopped.
REFEREE = 0
DISPUTE = 1
EARLY_CLICK = 2
ROUND_BREAK = 3
BOX_LOST_POWER = 4

# Why a game ended or entered its final lap.
WENT_OUT = 0
BANK_EMPTY = 1
ROUND_TIME = 2
LAST_SEAT = 3
DESK_ENDED = 4

# How an ended game is taken up again.
SAME_SEAT = 0  # the hold was a mistake: same seat, same remaining time
NEXT_SEAT = 1  # the empty rack was shown wrongly: ruled like a late move, the next seat moves

# Commands of the desk.
C_CONFIGURE = 1
C_START = 2
C_STOP = 3
C_RESUME = 4
C_RESTART_MOVE = 5
C_SET_REMAINING = 6
C_GIVE_TIME = 7
C_SET_SEAT = 8
C_SET_BANK = 9
C_WITHDRAW = 10
C_FINAL_LAP = 11
C_REOPEN = 12
C_REDEAL = 13
C_NEXT_GAME = 14
C_END_GAME = 15
C_DENY_CLAIM = 16
C_TAKE_OVER = 17
C_BLINK = 18

# Why a command is refused.
R_STATE = 1  # not in this state of the clock
R_GUARD = 2  # the table is at another game or move than the desk thought
R_ARGUMENT = 3  # a value outside what the box accepts
R_UNKNOWN = 4  # a command this firmware does not know
R_SEAT = 5  # that seat is not in play
R_LATE = 6  # no longer the first round of moves

# Numbered faults, shown on the display as E and the number.
E_STUCK = 10  # + contact: held over 5 s, ignored until released
E_JOURNAL_FULL = 30
E_FLASH_WRITE = 31
E_TORN_RECORD = 32
E_NEW_EPOCH = 33
E_EDGE_HANDLER = 40
E_RECEIVE_HANDLER = 41
E_TICK_HANDLER = 42
E_LINK_HANDLER = 43
E_EDGES_LOST = 44
E_FRAMES_LOST = 45
E_RADIO_HANDLER = 46
E_PUMP = 47
E_CLOCK_RESTORED = 51
# ... found by the self-test at power-on:
E_DISPLAY = 60  # + seat: the display of that side does not answer
E_FLASH_TEST = 64
E_FLASH_MOUNT = 65  # the journal could not be read; tried again every 2 s
E_BATTERY = 66
E_RADIO = 67
E_NO_IDENTITY = 68
E_FOREIGN_IDENTITY = 69
E_DAMAGED_IDENTITY = 70
E_START = 71  # shown alone: the firmware could not start or go on, and the chip is started anew
E_RADIO_HUNG = 72  # the radio hung, and the chip was started anew for it
E_HELD = 80  # + contact: down at power-on, ignored until released

# Why a box restarted.
POWER_ON = 0
HARD_RESET = 1
WATCHDOG = 2
SOFT_RESET = 3
