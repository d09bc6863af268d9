"""Settings for all tests.

HYPOTHESIS_PROFILE chooses how hard the property tests look: `test` (as usual) or `soak`. A failure prints the blob
that plays it again with `@reproduce_failure`.
"""

import os

from hypothesis import HealthCheck, Phase, settings

# No deadline: machines are shared, and a slow example is not a wrong one.
settings.register_profile("test", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", settings.get_profile("test"), max_examples=5_000, phases=tuple(Phase))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))
