"""Settings for all tests.

HYPOTHESIS_PROFILE chooses how hard the property tests look: `test` (as usual) or `soak`. A failure prints the
blob that plays it again with `@reproduce_failure`.
"""

import os

from hypothesis import HealthCheck, settings

# No deadline: machines are shared, and a slow example is not a wrong one.
usual = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("test", usual)
settings.register_profile("soak", usual, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))
