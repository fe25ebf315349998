"""The sentences under `why` in the rulesets that ship, marked for the catalogues, which a TOML file cannot do."""

from __future__ import annotations

from typing import Final

from dalej.words import N_

SENTENCES: Final = (
    N_("The text counts four racks and does not say how few may play."),
    N_("The text names tables of three and of four, and there are as few tables of three as can be."),
    N_("There are as few tables of three as can be, and a table of two only where it cannot be avoided."),
    N_("Tables of three stand at the end, as few as can be, and a table of two is none."),
    N_("The text says two in one place and four in another; two is the usual set."),
    N_("The text gives no number; stacks of 7 and one of 8 fit the usual 104 tiles and two jokers."),
    N_("The text gives nobody the right to a new deal."),
    N_("The text does not say how the game goes on, so the table waits for the next player to judge the late move."),
    N_("If the table is set not to wait, this is the time to put tiles back before the next move starts."),
    N_("A table that waits this long for a verdict is shown to the referee."),
    N_("A table that resumes by itself is warned by counting down, so that nobody is surprised."),
    N_("The text does not say which comes first, the tile or the click."),
    N_("The text sets no time in which the next player may claim a fresh start."),
    N_("A tile taken this soon after the click still belongs to the player who passed."),
    N_("A call this early in a move is about the move before it, so the clock stops at once."),
    N_("A call made by mistake can be taken back this long."),
    N_("A press this soon after a move began was meant for the move before it."),
    N_("Where all seats share two buttons a slip is likelier, so the guard is longer."),
    N_("A player who drew a tile has ended the turn and only forgot to click."),
    N_("The text asks something only of a player who did not finish in time to leave valid sets; valid sets stand."),
    N_("The text does not undo moves; a table that agrees to undo one treats it as a pass with one tile drawn."),
    N_(
        "The text does not speak of tiles touched after time, so such a move counts as one that was not "
        "finished in time."
    ),
    N_("This goes before the clause 6h, which lets a move with valid sets stand."),
    N_("The text has no last lap; each player has one more move, so that all have had equally many chances."),
    N_("The text sets no round time; where the organiser sets one, each player has one more move when it is over."),
    N_("The text says 25 twice and 30 once, so 25 counts unless the organiser chooses 30."),
    N_("Where the plain rack counts there is no penalty, so this matters only if the organiser sets one."),
    N_("The text does not say whether the rack counts as well, so the penalty stands instead of rack and jokers."),
    N_("Where the plain rack counts there is no penalty that an announcement could lift."),
    N_("The text lifts the higher penalty only, so the player falls back to the lower one."),
    N_("The text compares the plain racks when the bank ran out."),
    N_("Nobody went out when the bank or the time ran out, so there the plain racks are compared."),
    N_("The text knows one lowest rack; each of several is a winner and scores the full sum."),
    N_("Each of several lowest racks is a winner with 1 big point, and scores the full sum of small points."),
    N_("The text knows no big points, so this matters only if the organiser sets some."),
    N_(
        "The text shares the higher place among players level in second and third, and those level at the "
        "top share the first place alike."
    ),
    N_(
        "Players level in small points share the points of the higher place and the next place is skipped, "
        "at the top of the table as well."
    ),
    N_("Whoever leaves a game ranks last of the table in it, unless a referee rules otherwise."),
    N_("The players agree on the number of games in advance, so four is only where to start from."),
    N_(
        "The text names a semifinal, a final and two games at a table, and leaves the rest of the way to the organiser."
    ),
    N_(
        "The text does not say how rounds are seated, so the second preliminary round is a lot without "
        "repeated opponents and semifinal tables are of equal strength."
    ),
    N_("The text sets no least number of players."),
    N_("The text knows no closed event."),
    N_("The text knows no closed league."),
    N_("The text sets no greatest number of players, and one table seats as many as there are racks."),
    N_("The text sets no greatest number of players."),
    N_("The text names shapes up to 32 players and does not forbid more."),
    N_("There is no semifinal."),
    N_("The text does not say how many play the semifinal, so it is read as in the eliminations."),
    N_("Above 32 players the text is silent, so sixteen play the semifinal there as well."),
    N_("Twenty-four is in both lines of the text, so up to 24 eight go on unless the organiser chooses 23."),
    N_(
        "Points add up within a stage and each later stage starts at zero, so places behind the final follow "
        "the last stage reached."
    ),
    N_("Players who are level are seated by lot, and shown as level."),
    N_("Whoever misses a round scores nothing in it and keeps the points there are."),
    N_("The text knows no round time, and the organiser may set one."),
    N_("The text speaks of a round time without giving its length, which the organiser sets."),
    N_(
        "A game that is not begun when the round time ends is not played and scores nothing, and the "
        "organiser may say how long before that no new one begins."
    ),
    N_("A second person may confirm a table's result, and the organiser may require it before a round is closed."),
    N_("The text asks for no final form."),
    N_("The text names the starter of the first game only; later games start with the next seat clockwise."),
    N_(
        "The text speaks of rounds, a round is read as one game, and after the last seat it is A again, also "
        "in game 4 of a table of three."
    ),
    N_("Until somebody rules, a move that was not ended in time counts as unfinished."),
    N_("These tiles are taken instead of the penalty tile, not on top of it, and are unknown until counted."),
    N_("The winner's sum includes penalties of players who never opened, so that a game sums to zero."),
    N_(
        "The text does not say what the winner scores here, so it is the sum of what the others lose, "
        "penalties included, and a game sums to zero."
    ),
    N_("The text knows no table of two; if one cannot be avoided only the win counts."),
    N_("The text knows no table of two; if one cannot be avoided the win counts one as elsewhere."),
    N_("The text says so of semifinal and final; the stages before are ranked alike."),
    N_("Where no own tile was laid the move was none, and the player takes a tile as after passing."),
)
