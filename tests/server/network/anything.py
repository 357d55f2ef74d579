"""What anybody may send, made by schemathesis from the description of the interface."""

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case


def cases(address: str, path: str, most: int) -> list[Case]:
    """Always the same ones: they are made before anything is asked, and no clock stops the making."""
    made: list[Case] = []
    api = schemathesis.openapi.from_url(f"http://{address}/openapi.json")

    @settings(
        max_examples=most,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(api[path]["GET"].as_strategy())
    def make(case: Case) -> None:
        made.append(case)

    make()
    return made
