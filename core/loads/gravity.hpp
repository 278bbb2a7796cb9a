// Uniform gravity g: the force m g acts on every mass m at its centre c. Potential -m g.c, zero at the origin of the
// ground.
//
// The recursions need no force for it: the ground accelerates by -g (Featherstone 2008, section 5.3).
#pragma once
#include "../number/space.hpp"

namespace mubo {

struct Gravity {
    static Vector ground_acceleration(const Vector& g) { return -g; }
    // With h = m c, so that a link without mass needs no centre.
    static double potential(const Vector& g, const Vector& h) { return -dot(g, h); }
};

}  // namespace mubo
