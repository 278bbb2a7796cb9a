// A law of time as piecewise Chebyshev series: f, f' and f'' have separate coefficients on every piece.
#pragma once
#include <algorithm>
#include <vector>

namespace mubo {

struct TimeLaw {
    std::vector<double> edge;         // ends of the pieces, ascending; one more than pieces
    std::vector<double> coefficient;  // pieces x 3 x terms
    int terms = 0;

    // The piece that contains a time; at an edge the later one. `inside_span` is a time on the side that is meant where
    // the law has a corner.
    int piece(double inside_span) const {
        const auto next = std::upper_bound(edge.begin(), edge.end(), inside_span);
        const int last = static_cast<int>(edge.size()) - 2;
        return std::min(std::max(static_cast<int>(next - edge.begin()) - 1, 0), last);
    }

    bool covers(double t) const { return t >= edge.front() && t <= edge.back(); }

    // f (order 0), f' (1) or f'' (2) at t, by Clenshaw's recurrence on the piece that contains `inside_span`.
    double at(double t, double inside_span, int order) const { return on(piece(inside_span), t, order); }

    double on(int k, double t, int order) const {
        const double a = edge[k], b = edge[k + 1];
        const double x = ((t - a) + (t - b)) / (b - a);
        const double* c = coefficient.data() + (3 * k + order) * terms;
        double next = 0, after = 0;
        for (int j = terms - 1; j > 0; --j) {
            const double now = c[j] + 2 * x * next - after;
            after = next;
            next = now;
        }
        return c[0] + x * next - after;
    }
};

}  // namespace mubo
