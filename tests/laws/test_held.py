"""What constraints hold, dense and sparse: the definitions of a null space, of least solutions and of multipliers."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from mubo.errors import ModelError
from mubo.solvers.statics import null_space as held
from mubo.solvers.statics.null_space import ConstraintProjection


def rows(rank, spare, columns, seed=1):
    """Rows of length one, the last `spare` of which depend on the others."""
    random = np.random.default_rng(seed)
    J = random.standard_normal((rank, columns))
    J = np.vstack([J, random.standard_normal((spare, rank)) @ J])
    return J / np.linalg.norm(J, axis=1, keepdims=True)


@pytest.mark.parametrize(("rank", "spare", "columns"), [(12, 0, 20), (12, 5, 20), (20, 3, 20), (0, 0, 6), (3, 0, 60)])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_free_motions_least_motions_and_multipliers(rank, spare, columns, kind):
    J = rows(rank, spare, columns)
    one = ConstraintProjection(kind(J))
    assert one.free.shape == (columns - rank, columns)
    assert np.allclose(J @ one.free.T, 0, atol=1e-11)
    assert np.allclose(one.free @ one.free.T, np.eye(columns - rank), atol=1e-11)
    wanted = np.random.default_rng(2).standard_normal((2, columns))
    met = one.least((J @ wanted.T).T)
    assert np.allclose(J @ met.T, J @ wanted.T, atol=1e-10)
    assert np.allclose(one.free @ met.T, 0, atol=1e-10)  # nothing of it is free: it is the smallest
    assert np.allclose(one.projected(wanted), wanted - met, atol=1e-10)
    multipliers = one.carrying(wanted)
    assert np.allclose(wanted - multipliers @ J, wanted @ one.free.T @ one.free, atol=1e-9)
    if kind is np.asarray or not spare:
        assert np.allclose(multipliers @ np.linalg.svd(J)[0][:, rank:], 0, atol=1e-9)  # they are the smallest


def test_too_many_free_motions_are_refused(monkeypatch):
    monkeypatch.setattr(held, "MOST_FREE", 8)
    with pytest.raises(ModelError, match="8 and more free motions"):
        _ = ConstraintProjection(csr_array(rows(3, 0, 60))).free
