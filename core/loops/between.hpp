// Motion laws between two instants: the quintic through value, rate and bend at both ends.
#pragma once

namespace mubo {

// `from` and `to` hold f, f', f'' of each law, `apart` in time; `out` is the same a part u of the way.
inline void between(const double* from, const double* to, int laws, double apart, double u, double* out) {
    for (int k = 0; k < laws; k += 3) {
        const double c0 = from[k], c1 = apart * from[k + 1], c2 = 0.5 * apart * apart * from[k + 2];
        const double rise = to[k] - c0 - c1 - c2, slope = apart * to[k + 1] - c1 - 2 * c2,
                     bend = apart * apart * to[k + 2] - 2 * c2;
        const double c3 = 10 * rise - 4 * slope + 0.5 * bend, c4 = -15 * rise + 7 * slope - bend,
                     c5 = 6 * rise - 3 * slope + 0.5 * bend;
        out[k] = c0 + u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5))));
        out[k + 1] = (c1 + u * (2 * c2 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / apart;
        out[k + 2] = (2 * c2 + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (apart * apart);
    }
}

}  // namespace mubo
