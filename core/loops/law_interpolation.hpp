// Motion laws between two instants: the quintic through value, first and second derivative at both ends.
#pragma once

namespace mubo {

// `from` and `to` are f, f', f'' of each law at the ends of an `interval` of time; `out` are the same at the fraction u
// of it.
inline void interpolate_laws(const double* from, const double* to, int laws, double interval, double u, double* out) {
    for (int k = 0; k < laws; k += 3) {
        const double c0 = from[k], c1 = interval * from[k + 1], c2 = 0.5 * interval * interval * from[k + 2];
        const double rise = to[k] - c0 - c1 - c2, slope = interval * to[k + 1] - c1 - 2 * c2,
                     bend = interval * interval * to[k + 2] - 2 * c2;
        const double c3 = 10 * rise - 4 * slope + 0.5 * bend, c4 = -15 * rise + 7 * slope - bend,
                     c5 = 6 * rise - 3 * slope + 0.5 * bend;
        out[k] = c0 + u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5))));
        out[k + 1] = (c1 + u * (2 * c2 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / interval;
        out[k + 2] = (2 * c2 + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (interval * interval);
    }
}

}  // namespace mubo
