// Rotation in a fixed ratio (gears, belts), relative to a carrier k:
//   Phi = p (phi_i - phi_k) + q (phi_j - phi_k - c) - f(t)
// c is the angle of wheel j where wheel i is at zero; with radii for p and q, Phi is a length on the pitch circles.
// External gears: p = r_i, q = r_j. Internal gears and open belts: q = -r_j. Willis 1870 for carriers.
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Ratio {
    static constexpr const char* name = "ratio";
    static constexpr int rows = 1, bodies = 3, parameters = 3;  // p, q, c
    static constexpr bool analytic = false, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        out[0] = p[0] * (b[0].phi - b[2].phi) + p[1] * (b[1].phi - b[2].phi - p[2]) - f;
    }
};

}  // namespace mubo::plane
