"""Kinds of step: what a position waits for. docs/architecture.md tells how the agenda works."""

from typing import Final

# Kinds of step that a seat or chance answers.
CLAIM_STEP: Final = 1
SETUP_PLACE_STEP: Final = 2
PLACE_STEP: Final = 3
TRADE_STEP: Final = 4
TRADE_DOWN_STEP: Final = 5
BONUS_STEP: Final = 6
ATTACK_STEP: Final = 7
DEFEND_STEP: Final = 8
MOVE_IN_STEP: Final = 9
FORTIFY_STEP: Final = 10
FORTIFY_TO_STEP: Final = 11
HEADQUARTERS_STEP: Final = 12
CLAIM_MISSION_STEP: Final = 13
REROLL_STEP: Final = 14
COMMAND_STEP: Final = 15
NEUTRAL_PLACE_STEP: Final = 16
BRIBE_STEP: Final = 17
REINFORCE_STEP: Final = 18
LOSE_STEP: Final = 19
FIRST_STEP: Final = 40
ROLL_STEP: Final = 41
DRAW_STEP: Final = 42
ELECT_STEP: Final = 43
DEAL_STEP: Final = 44
DEAL_MISSION_STEP: Final = 45
REROLL_DIE_STEP: Final = 46
REINFORCE_ROLL_STEP: Final = 47
LOYALTY_STEP: Final = 48

# Kinds that the rules take by themselves as soon as they are on top.
AUTOMATIC: Final = 64
CLAIMING: Final = 64
SETUP_PLACING: Final = 65
NEXT_TURN: Final = 66
COUNTING_INCOME: Final = 67
TRADING: Final = 68
TRADING_DOWN: Final = 69
DEPLOYING: Final = 70
ATTACKING: Final = 71
DRAWING: Final = 72
FORTIFYING: Final = 73
ROLLING_FIRST: Final = 74
SPOILS: Final = 75
ELECTING: Final = 76
DEALING: Final = 77
DEALING_MISSIONS: Final = 78
CHOOSING_HEADQUARTERS: Final = 79
CHECKING_GOALS: Final = 80
CLAIMING_MISSION: Final = 81
MUSTERING: Final = 82
SETTLING_ROLL: Final = 83
BRIBING: Final = 84
REINFORCING: Final = 85
TESTING: Final = 86
PASSING_HAND: Final = 87

STEP_NAMES: Final = {
    CLAIM_STEP: "claim",
    SETUP_PLACE_STEP: "setup_place",
    PLACE_STEP: "place",
    TRADE_STEP: "trade",
    TRADE_DOWN_STEP: "trade_down",
    BONUS_STEP: "bonus",
    ATTACK_STEP: "attack",
    DEFEND_STEP: "defend",
    MOVE_IN_STEP: "move_in",
    FORTIFY_STEP: "fortify",
    FORTIFY_TO_STEP: "fortify_to",
    HEADQUARTERS_STEP: "headquarters",
    CLAIM_MISSION_STEP: "claim_mission",
    REROLL_STEP: "reroll",
    COMMAND_STEP: "command",
    NEUTRAL_PLACE_STEP: "neutral_place",
    BRIBE_STEP: "bribe",
    REINFORCE_STEP: "reinforce",
    LOSE_STEP: "lose",
    FIRST_STEP: "first",
    ROLL_STEP: "roll",
    DRAW_STEP: "draw",
    ELECT_STEP: "elect",
    DEAL_STEP: "deal",
    DEAL_MISSION_STEP: "deal_mission",
    REROLL_DIE_STEP: "reroll_die",
    REINFORCE_ROLL_STEP: "reinforce_roll",
    LOYALTY_STEP: "loyalty",
    CLAIMING: "claiming",
    SETUP_PLACING: "setup_placing",
    NEXT_TURN: "next_turn",
    COUNTING_INCOME: "counting_income",
    TRADING: "trading",
    TRADING_DOWN: "trading_down",
    DEPLOYING: "deploying",
    ATTACKING: "attacking",
    DRAWING: "drawing",
    FORTIFYING: "fortifying",
    ROLLING_FIRST: "rolling_first",
    SPOILS: "spoils",
    ELECTING: "electing",
    DEALING: "dealing",
    DEALING_MISSIONS: "dealing_missions",
    CHOOSING_HEADQUARTERS: "choosing_headquarters",
    CHECKING_GOALS: "checking_goals",
    CLAIMING_MISSION: "claiming_mission",
    MUSTERING: "mustering",
    SETTLING_ROLL: "settling_roll",
    BRIBING: "bribing",
    REINFORCING: "reinforcing",
    TESTING: "testing",
    PASSING_HAND: "passing_hand",
}

# Steps that are asked even where one answer is possible: what makes it the only one is a secret.
SECRETIVE: Final = (CLAIM_MISSION_STEP, REROLL_STEP)
