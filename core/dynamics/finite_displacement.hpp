// Finite displacement of a body: its origin by d, its orientation by a rotation vector theta in ground axes, and the
// rate of theta for an angular velocity w: theta' = w - theta x w / 2 + c theta x (theta x w), c = (1 - x cot x) /
// |theta|^2 with x = |theta| / 2 (Bortz 1971). In the plane displacements are added.
#pragma once
#include <cmath>

#include "../system.hpp"

namespace mubo {

inline void displace(const PlaneSystem&, const double* q, const double* displacement, double* out) {
    for (int k = 0; k < 3; ++k) out[k] = q[k] + displacement[k];
}
inline void displacement_rate(const PlaneSystem&, const double*, const double* twist, double* out) {
    for (int k = 0; k < 3; ++k) out[k] = twist[k];
}

inline void displace(const SpaceSystem&, const double* q, const double* displacement, double* out) {
    const Vector theta{displacement[3], displacement[4], displacement[5]};
    const double half = 0.5 * std::sqrt(dot(theta, theta));
    const double s = half < 1e-4 ? 0.5 - half * half / 12 : 0.5 * std::sin(half) / half;
    const Quaternion<double> turn{std::cos(half), s * theta.x, s * theta.y, s * theta.z},
        p = turn * Quaternion<double>{q[3], q[4], q[5], q[6]};
    const double unit = 1 / std::sqrt(square(p));
    for (int k = 0; k < 3; ++k) out[k] = q[k] + displacement[k];
    out[3] = unit * p.w, out[4] = unit * p.x, out[5] = unit * p.y, out[6] = unit * p.z;
}
inline void displacement_rate(const SpaceSystem&, const double* displacement, const double* twist, double* out) {
    const Vector theta{displacement[3], displacement[4], displacement[5]}, w{twist[3], twist[4], twist[5]},
        across = cross(theta, w);
    const double square = dot(theta, theta), x = 0.5 * std::sqrt(square);
    const double c = x < 1e-2 ? (1 + square / 60) / 12 : (1 - x / std::tan(x)) / square;
    const Vector rate = w - 0.5 * across + c * cross(theta, across);
    for (int k = 0; k < 3; ++k) out[k] = twist[k];
    out[3] = rate.x, out[4] = rate.y, out[5] = rate.z;
}

}  // namespace mubo
