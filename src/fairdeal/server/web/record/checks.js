// The checks of a room and what each says, made from `CHECKS` (table/verdict.py) by
// `python -m tools.renew checks`.

/** The sentences of a check: if it holds, and by the reasons for which it is broken or unknown.
 * @typedef {{ holds: string, broken: Record<string, string>, unknown: Record<string, string> }}
 *   Sentences */

/** @type {Record<import('../fair/proof.js').Check, Sentences>} */
// prettier-ignore
export const CHECKS = {
 "number": {
  "holds": "Your own number is in the deal.",
  "broken": {
   "dropped": "The room says that your seat has your number, and leaves it out of the deal.",
   "missing": "Your own number is not in the deal, although you showed it and the room has acknowledged it.",
   "withheld": "The room dealt without your number: it says that you did not show it.",
   "unsent": "The room dealt with your number, which you have not shown at this table."
  },
  "unknown": {
   "number": "The deal has no number that this program made.",
   "late": "Your number came too late: the cards were dealt without it.",
   "seat": "The room says that you do not sit where your number is."
  }
 },
 "promise": {
  "holds": "The room promised its seed before you made your number.",
  "broken": {
   "changed": "The room promised one seed and deals from another.",
   "header": "The promise that you were given is not in the header of the deal."
  },
  "unknown": {
   "number": "This program made no number for this promise."
  }
 },
 "room": {
  "holds": "The deal is one of this room and this table.",
  "broken": {
   "key": "The room signs with a different key from before.",
   "other": "The deal does not belong to this table and room."
  },
  "unknown": {
   "record": "This program has no record from before the deal.",
   "visit": "The room had another key when you visited it before.",
   "unsigned": "No room has signed this log."
  }
 },
 "outline": {
  "holds": "Nothing in the deal has changed since you showed your number.",
  "broken": {
   "changed": "The room changed the deal after you showed your number."
  },
  "unknown": {
   "number": "This program showed no number for this deal."
  }
 },
 "failed": {
  "holds": "No deal before this one failed.",
  "broken": {
   "unreported": "A deal failed after you showed your number, and it is not reported.",
   "uncounted": "The room asked for new numbers without counting the attempt."
  },
  "unknown": {
   "unheard": "A deal failed after your number was sent. The room does not say that it had arrived.",
   "failed": "{deals} before this one failed{left}. Somebody may have made them fail to get other cards."
  }
 },
 "waits": {
  "holds": "No number is missing.",
  "broken": {
   "missing": "A number is missing at a table that waits for all of them."
  },
  "unknown": {
   "withheld": "{names} withheld a number, and may have seen the others first."
  }
 },
 "bound": {
  "holds": "Every number is the one to which its seat was bound, or follows from the seed.",
  "broken": {
   "bound": "The number of seat {seat} is not the one to which it was bound.",
   "seed": "The number of seat {seat} does not follow from the seed.",
   "bot": "Seat {seat} is a bot’s, which has no number of its own."
  },
  "unknown": {
   "alone": "No player gave a number: all numbers follow from the room’s seed."
  }
 },
 "header": {
  "holds": "The header is the one that you were shown at the deal.",
  "broken": {
   "changed": "The header is not the one that you were shown at the deal."
  },
  "unknown": {
   "unseen": "You were not shown the header at the deal."
  }
 },
 "seed": {
  "holds": "The seed is the one that was promised.",
  "broken": {
   "other": "The seed is not the one that was promised."
  },
  "unknown": {
   "hidden": "The room has not shown its seed.",
   "sealed": "Others can still play this deal of the day. Its seed is shown when the deal is closed."
  }
 },
 "log": {
  "holds": "The running hash fits every line of the log.",
  "broken": {
   "wrong": "{why}"
  },
  "unknown": {
   "missing": "The room did not send a log that can be checked.",
   "branch": "This game continues another game, whose cards were known."
  }
 },
 "signed": {
  "holds": "The room has signed the deal and the whole game.",
  "broken": {
   "wrong": "The room’s signature of the {part} is wrong."
  },
  "unknown": {
   "missing": "The room’s signature of the {part} is missing.",
   "unsigned": "No room has signed this log."
  }
 },
 "acknowledged": {
  "holds": "All {entries} entries were acknowledged to you when they were made.",
  "broken": {
   "two": "The room acknowledged two different games to you.",
   "other": "The log up to entry {entry} is not what the room acknowledged to you.",
   "beyond": "The room acknowledged {entry} entries to you, but the log has {entries}."
  },
  "unknown": {
   "none": "The room acknowledged no entry to you.",
   "gaps": "{gaps} of {entries} were made while this program was away, or not acknowledged to you."
  }
 },
 "moves": {
  "holds": "The cards follow from the seed and the numbers, every move is legal, and the result is right.",
  "broken": {
   "wrong": "{why}"
  },
  "unknown": {
   "unplayed": "The game was not played again: {why}.",
   "files": "Whether the cards are those that the options name is not checked here."
  }
 },
 "bots": {
  "holds": "Every move of a bot is the one that it chose{made}.",
  "broken": {
   "wrong": "{why}"
  },
  "unknown": {
   "late": "There was no time to recompute every move of a bot{made}.",
   "unknown": "The moves of {names} cannot be recomputed here.",
   "unplayed": "The moves of bots were not recomputed."
  }
 },
 "undone": {
  "holds": "No move that revealed something was undone.",
  "broken": {
   "wrong": "{why}"
  },
  "unknown": {
   "unchecked": "Whether undone moves had revealed something is not checked here."
  }
 },
 "shown": {
  "holds": "You were shown this game: {scenes} compared.",
  "broken": {
   "other": "{why}",
   "seat": "You were shown what another seat sees."
  },
  "unknown": {
   "windows": "{scenes} could not be compared, as in windows.",
   "version": "You were shown the game by another version of it, {version}, which may have other words.",
   "none": "This program did not record what you were shown.",
   "missed": "Not everything that you were shown was recorded: {why}.",
   "unplayed": "What you were shown was not compared."
  }
 }
};
