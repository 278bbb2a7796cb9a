// Functions of one variable as quintic pieces, with exact derivatives: a periodic function of an angle (a cam), or the
// two coordinates of a curve (curve.hpp).
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "bound.hpp"
#include "dual.hpp"
#include "taylor.hpp"

namespace mubo {

struct Profile {
    double period = 0;                // 0: not periodic; the first and last pieces extend beyond the ends
    std::vector<double> knot;         // starts of the pieces, ascending
    std::vector<double> coefficient;  // six per piece, in powers of (angle - knot); of a curve all of x, then all of y

    const Profile& shape() const { return *this; }
    template <class T>
    T number(size_t index) const {
        return T(coefficient[index]);
    }

    // The value and its first three derivatives at an angle.
    void evaluate(double angle, double* out) const { evaluate(angle, coefficient.data(), out); }
    // Evaluates with other coefficients on the same pieces.
    void evaluate(double angle, const double* coefficients, double* out) const {
        const double a = period > 0 ? angle - period * std::floor(angle / period) : angle;
        const auto next = std::upper_bound(knot.begin(), knot.end(), a);
        const size_t piece = next == knot.begin() ? 0 : next - knot.begin() - 1;
        const double x = a - knot[piece], *c = coefficients + 6 * piece;
        out[0] = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
        out[1] = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4] + x * 5 * c[5])));
        out[2] = 2 * c[2] + x * (6 * c[3] + x * (12 * c[4] + x * 20 * c[5]));
        out[3] = 6 * c[3] + x * (24 * c[4] + x * 60 * c[5]);
    }
    double at(double angle) const {
        double y[4];
        evaluate(angle, y);
        return y[0];
    }
    template <int N>
    Dual<N> at(const Dual<N>& angle) const {
        double y[4];
        evaluate(angle.v, y);
        return angle.chain(y[0], y[1]);
    }
    Taylor at(const Taylor& angle) const {
        double y[4];
        evaluate(angle.v, y);
        return angle.chain(y[0], y[1], y[2]);
    }
    // Bound over the pieces that an interval of angles may touch; over all pieces where the interval is unbounded.
    Bound at(const Bound& angle) const {
        if (!(period > 0)) return not_periodic(angle);
        double most[3] = {};
        const double wide = angle.high - angle.low, from = angle.low - period * std::floor(angle.low / period);
        for (size_t piece = 0; piece < knot.size(); ++piece) {
            const double start = knot[piece], end = piece + 1 < knot.size() ? knot[piece + 1] : period;
            const bool touched = (from <= end && from + wide >= start) || from + wide >= start + period;
            if (wide < period && !touched) continue;
            bound_piece(piece, end - start, most);
        }
        return around_middle(angle, most);
    }

  private:
    // The first and last pieces extend beyond the ends.
    Bound not_periodic(const Bound& angle) const {
        if (!angle.bounded()) return Bound::none();
        double most[3] = {};
        for (size_t piece = 0; piece < knot.size(); ++piece) {
            const double from = piece > 0 ? knot[piece] : angle.low;
            const double to = piece + 1 < knot.size() ? knot[piece + 1] : angle.high;
            if (angle.high < from || angle.low > to) continue;
            const double low = std::fmax(angle.low, from) - knot[piece], high = std::fmin(angle.high, to) - knot[piece];
            bound_piece(piece, std::fmax(std::fabs(low), std::fabs(high)), most);
        }
        return around_middle(angle, most);
    }
    // The value lies within its slope times half the interval of that at the middle, and within its own bound.
    Bound around_middle(const Bound& angle, const double* most) const {
        double low = -most[0], high = most[0];
        if (angle.bounded()) {
            const double middle = at(0.5 * (angle.low + angle.high)), half = 0.5 * (angle.high - angle.low) * most[1];
            low = std::fmax(low, middle - half), high = std::fmin(high, middle + half);
        }
        return angle.chain(low, high, most[1], most[2], 16);
    }
    // Bounds of the value and two derivatives of a piece up to the distance x from its start.
    void bound_piece(size_t piece, double x, double* most) const {
        const double* c = coefficient.data() + 6 * piece;
        double sum[3] = {}, power[6] = {1};
        for (int k = 1; k < 6; ++k) power[k] = power[k - 1] * x;
        for (int k = 0; k < 6; ++k) {
            sum[0] += std::fabs(c[k]) * power[k];
            if (k > 0) sum[1] += k * std::fabs(c[k]) * power[k - 1];
            if (k > 1) sum[2] += k * (k - 1) * std::fabs(c[k]) * power[k - 2];
        }
        for (int k = 0; k < 3; ++k) most[k] = std::fmax(most[k], sum[k]);
    }
};

// A profile whose coefficients depend on a parameter, with the derivatives `change` (zero where it is null).
struct VaryingProfile {
    const Profile* own;
    const double* change;

    const Profile& shape() const { return *own; }
    template <class T>
    T number(size_t index) const {
        Dual<1> y(own->coefficient[index]);
        if (change) y.d[0] = change[index];
        return {y, Dual<1>(0), Dual<1>(0)};
    }
    TaylorOf<Dual<1>> at(const TaylorOf<Dual<1>>& angle) const {
        double y[4], more[4] = {};
        own->evaluate(angle.v.v, y);
        if (change) own->evaluate(angle.v.v, change, more);
        Dual<1> part[3];
        for (int k = 0; k < 3; ++k) {
            part[k] = angle.v.chain(y[k], y[k + 1]);
            part[k].d[0] += more[k];
        }
        return angle.chain(part[0], part[1], part[2]);
    }
};

}  // namespace mubo
