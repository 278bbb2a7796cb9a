/* The four-bar linkage in closed form: the floor that every solver is compared with.
 *
 *          C              A, D  pins on the ground, A at the origin, D at (ground, 0)
 *        /   \            A-B   crank, turns at a constant rate
 *      B       \          B-C   coupler
 *     /         \         D-C   rocker
 *    A - - - - - D        C lies to the left of the way from B to D
 *
 * B follows from the crank angle and C from two circles around B and D. The loop
 *     AB + BC - DC = AD
 * differentiated once and twice gives two linear equations each for the rates of coupler and rocker.
 */
#include <math.h>

struct vec {
    double x, y;
};

static struct vec add(struct vec p, double k, struct vec q) {
    return (struct vec){p.x + k * q.x, p.y + k * q.y};
}
/* A quarter turn to the left. */
static struct vec turned(struct vec p) {
    return (struct vec){-p.y, p.x};
}
static double cross(struct vec p, struct vec q) {
    return p.x * q.y - p.y * q.x;
}

/* Solves  f turned(u) - g turned(w) = r.  The cross product with turned(w) leaves f alone, the one with turned(u)
 * leaves g; turned() does not change cross products. */
static void solve_rates(struct vec u, struct vec w, struct vec r, double* f, double* g) {
    const double determinant = cross(u, w);
    *f = cross(r, turned(w)) / determinant;
    *g = cross(r, turned(u)) / determinant;
}

/* One link between `foot` and foot + arm: motion of its middle, three orders at 9 numbers each. `v` and `a` are
 * velocity and acceleration of the foot. */
static void write_link(double* out, struct vec foot, struct vec v, struct vec a, struct vec arm, double angle,
                       double omega, double alpha) {
    const struct vec side = turned(arm);
    const struct vec p = add(foot, 0.5, arm);
    const struct vec pd = add(v, 0.5 * omega, side);
    const struct vec pdd = add(add(a, 0.5 * alpha, side), -0.5 * omega * omega, arm);
    out[0] = p.x, out[1] = p.y, out[2] = angle;
    out[9] = pd.x, out[10] = pd.y, out[11] = omega;
    out[18] = pdd.x, out[19] = pdd.y, out[20] = alpha;
}

/* out[count][3][9]: position, velocity, acceleration; x, y, phi of crank, coupler, rocker at their middles.
 * lengths: crank, coupler, rocker, ground. */
void four_bar(const double* lengths, double start, double rate, int count, const double* t, double* out) {
    const double crank = lengths[0], coupler = lengths[1], rocker = lengths[2];
    const struct vec rest = {0, 0}, D = {lengths[3], 0};
    for (int k = 0; k < count; ++k, out += 27) {
        const double angle = start + rate * t[k];
        const struct vec B = {crank * cos(angle), crank * sin(angle)};
        const struct vec vB = {-rate * B.y, rate * B.x}, aB = {-rate * rate * B.x, -rate * rate * B.y};

        /* C = B + along BD + across turned(BD), both as parts of the length BD */
        const struct vec BD = add(D, -1, B);
        const double square = BD.x * BD.x + BD.y * BD.y;
        const double along = 0.5 + 0.5 * (coupler * coupler - rocker * rocker) / square;
        const double across = sqrt(coupler * coupler / square - along * along);
        const struct vec BC = {along * BD.x - across * BD.y, along * BD.y + across * BD.x};
        const struct vec DC = add(BC, -1, BD);

        double omega3, omega4, alpha3, alpha4;
        solve_rates(BC, DC, (struct vec){-vB.x, -vB.y}, &omega3, &omega4);
        const struct vec bend = add(add(aB, -omega3 * omega3, BC), omega4 * omega4, DC);
        solve_rates(BC, DC, (struct vec){-bend.x, -bend.y}, &alpha3, &alpha4);

        write_link(out, rest, rest, rest, B, angle, rate, 0);
        write_link(out + 3, B, vB, aB, BC, atan2(BC.y, BC.x), omega3, alpha3);
        write_link(out + 6, D, rest, rest, DC, atan2(DC.y, DC.x), omega4, alpha4);
    }
}

/* Many linkages one after the other; each overwrites `out`, so that it stays in the cache. */
void four_bars(int variants, const double* lengths, double start, double rate, int count, const double* t, double* out) {
    for (int k = 0; k < variants; ++k) four_bar(lengths + 4 * k, start, rate, count, t, out);
}
