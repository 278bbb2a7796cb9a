"""Random equations of bodies: rank, circuits, degrees of freedom and smallest singular value of the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csc_matrix

from mubo.arrays import Array
from mubo.numerics.singularity import smallest_singular_values
from mubo.solvers.assembly.block_rank import BlockDecomposition, BodyBlocks, block_null_motions, decompose_blocks
from mubo.solvers.assembly.dependent_equations import dependent_sets
from mubo.solvers.assembly.mobility import independent_rows
from mubo.solvers.assembly.singular_positions import sparse_smallest_singular_vectors

SEEDS = range(40)


def equations(seed: int) -> tuple[Array, int]:
    """Rows of length one, each of one to three bodies, some of them combinations of others; and the width of a body."""
    random = np.random.default_rng(seed)
    width, bodies = int(random.choice([3, 7])), int(random.integers(1, 9))
    rows = int(random.integers(1, width * bodies + 4))
    J = np.zeros((rows, bodies, width))
    for line in J:
        known = random.choice(bodies, min(bodies, int(random.integers(1, 4))), replace=False)
        line[known] = random.standard_normal((len(known), width))
    whole = J.reshape(rows, -1)
    for _ in range(int(random.integers(0, 4)) if rows > 3 else 0):
        target, *others = random.choice(rows, 3, replace=False)
        whole[target] = random.uniform(0.5, 2, 2) @ whole[others]
    if random.random() < 0.2:
        whole[random.integers(rows)] = 0.0
    lengths = np.linalg.norm(whole, axis=1, keepdims=True)
    return np.divide(whole, lengths, out=np.zeros_like(whole), where=lengths > 0), width


def apart(J: Array, width: int) -> BlockDecomposition:
    row, column = np.nonzero(J)
    return decompose_blocks(BodyBlocks(row.astype(np.int32), column.astype(np.int32), J[row, column], J.shape, width))


@pytest.mark.parametrize("seed", SEEDS)
def test_rank_and_choice(seed: int) -> None:
    J, width = equations(seed)
    found, rank = apart(J, width), int(np.linalg.matrix_rank(J, 1e-9))
    assert J.shape[1] - found.dofs == rank == len(found.independent) == len(J) - len(found.repeated)
    assert np.linalg.matrix_rank(J[found.independent], 1e-9) == rank


@pytest.mark.parametrize("seed", SEEDS)
def test_circuits(seed: int) -> None:
    """Those that a walk through the rows in their order calls dependent, each as the sum of ones that it does not."""
    J, width = equations(seed)
    chosen, _ = independent_rows(J)
    found = dependent_sets(apart(J, width))
    assert sorted([*found, *chosen]) == list(range(len(J)))
    for row, factors in found.items():
        assert set(factors) <= {k for k in chosen if k < row}
        assert np.abs(J[row] - sum((s * J[k] for k, s in factors.items()), np.zeros(J.shape[1]))).max() < 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_motions(seed: int) -> None:
    """They keep all equations, and are as many as the degrees of freedom, none a combination of others."""
    J, width = equations(seed)
    found = apart(J, width)
    lines = np.zeros((found.dofs, J.shape[1] // width, width))
    for line, moved in zip(lines, block_null_motions(found), strict=True):
        line[list(moved)] = list(moved.values())
    null = lines.reshape(found.dofs, J.shape[1])
    null /= np.abs(null).max(axis=1, keepdims=True, initial=1e-300)
    assert np.abs(J @ null.T).max(initial=0.0) < 1e-8
    assert np.linalg.matrix_rank(null, 1e-9) == found.dofs


@pytest.mark.parametrize("seed", SEEDS)
def test_weakest_motion(seed: int) -> None:
    """The last singular value and its vectors, of square and of taller matrices, near a singular position or not."""
    random = np.random.default_rng(seed)
    columns = int(random.integers(6, 30))
    rows = columns + int(random.choice([0, 0, 3]))
    J = random.standard_normal((rows, columns))
    left, values, right = np.linalg.svd(J, full_matrices=False)
    values[-1] *= random.choice([1.0, 1e-2, 1e-5])
    J = (left * values) @ right
    found = sparse_smallest_singular_vectors(csc_matrix(J))
    assert found.part == pytest.approx(values[-1] / values[0], rel=1e-2)
    assert abs(found.right @ right[-1]) == pytest.approx(1.0, abs=1e-5)
    assert abs(found.left @ left[:, -1]) == pytest.approx(1.0, abs=1e-5)


def test_no_matrices_have_no_singular_values() -> None:
    """Where a search between rows reaches none of its times."""
    assert smallest_singular_values(np.array([])).shape == (0,)
    np.testing.assert_allclose(smallest_singular_values(np.array([np.diag([3.0, 2.0])])), [2.0])
