"""Tests of one group run in one process: what they need is built or compiled once."""

import pytest

pytestmark = pytest.mark.xdist_group("grouped")


def test_a_group_is_known_to_whoever_divides_the_tests(request: pytest.FixtureRequest):
    is_divided_by_groups = getattr(request.config.option, "loadgroup", False)

    assert request.node.nodeid.endswith("@grouped") == is_divided_by_groups
