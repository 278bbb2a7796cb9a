"""The five-body chain of the Wittenburg coursework as a tree: two spherical hinges, then revolute z, y, y.

Link frames stand at the hinges: hinge vectors c_ia of the reference run from centres of mass to hinges.
"""

import numpy as np
from trees import Tree, about

MASS = (3.0, 3.0, 2.0, 1.5, 1.5)
INERTIA = ((4, 4, 3.6), (4, 4, 2.4), (1 / 3, 5 / 12, 1 / 12), (0.5, 0.5, 0.3), (0.5, 0.5, 0.3))
CENTER = ((0, 0, -1), (0, 0, -1), (0, 0, -1), (0, 0, -0.5), (0, 0, -0.5))
HINGE = ((0, 0, 0), (0, 0, -2), (0, 0, -2), (0.5, 0, -1), (-0.5, 0, -1))
PARENT = (-1, 0, 1, 2, 2)
Y, Z, X = (0, 1, 0), (0, 0, 1), (1, 0, 0)


def five_body_chain(angles=False):
    """With ball links, or with z-x-z angles as three stacked turns; and the link that carries each body."""
    tree, carrier = Tree(gravity=(0, 0, -9.81)), []
    for k in range(5):
        body = {"mass": MASS[k], "center": CENTER[k], "inertia": (*INERTIA[k], 0, 0, 0)}
        at = {"parent": carrier[PARENT[k]] if k else -1, "place": (*HINGE[k], 1, 0, 0, 0)}
        if k >= 2:
            link = tree.add("turn", axis=Z if k == 2 else Y, **at, **body)
        elif angles:
            tree.add("turn", axis=Z, **at)
            tree.add("turn", axis=X)
            link = tree.add("turn", axis=Z, **body)
        else:
            link = tree.add("ball", **at, **body)
        carrier.append(link)
    return tree, carrier


def quaternion(psi, theta, phi):
    """Of A = Rz(psi) Rx(theta) Rz(phi)."""
    c, s, plus, minus = np.cos(theta / 2), np.sin(theta / 2), (psi + phi) / 2, (psi - phi) / 2
    return np.array([c * np.cos(plus), s * np.cos(minus), s * np.sin(minus), c * np.sin(plus)])


def with_quaternions(q):
    """Positions of the ball form from nine reference coordinates."""
    return np.concatenate([quaternion(*q[:3]), quaternion(*q[3:6]), q[6:]])


def hinge_rotation(q):
    return about(np.array(Z), q[0]) @ about(np.array(X), q[1]) @ about(np.array(Z), q[2])
