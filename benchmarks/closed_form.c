/* Linkages in closed form: the floor that every solver is compared with. First the four-bar linkage:
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

/* The slider-crank: crank O-A turns at a constant rate, rod A-B, B slides along the x axis through O, to the right of A.
 * out[count][3][9]: position, velocity, acceleration; x, y, phi of crank (at O), rod (at A) and piston (at B).
 * lengths: crank, rod. */
void slider_crank(const double* lengths, double start, double rate, int count, const double* t, double* out) {
    const double crank = lengths[0], rod = lengths[1];
    for (int k = 0; k < count; ++k, out += 27) {
        const double angle = start + rate * t[k];
        const struct vec A = {crank * cos(angle), crank * sin(angle)};
        const struct vec vA = {-rate * A.y, rate * A.x}, aA = {-rate * rate * A.x, -rate * rate * A.y};

        /* The rod reaches down by the height of A; its end keeps to the axis: A.y + AB.y = 0, twice differentiated. */
        const struct vec AB = {sqrt(rod * rod - A.y * A.y), -A.y};
        const double omega = -vA.y / AB.x, alpha = (omega * omega * AB.y - aA.y) / AB.x;

        for (int i = 0; i < 27; ++i) out[i] = 0;
        out[2] = angle, out[11] = rate;
        out[3] = A.x, out[4] = A.y, out[5] = atan2(AB.y, AB.x);
        out[12] = vA.x, out[13] = vA.y, out[14] = omega;
        out[21] = aA.x, out[22] = aA.y, out[23] = alpha;
        out[6] = A.x + AB.x;
        out[15] = vA.x - omega * AB.y;
        out[24] = aA.x - alpha * AB.y - omega * omega * AB.x;
    }
}

/* A point with its velocity and acceleration. */
struct moving {
    struct vec p, v, a;
};

/* A link: the vector along it, its angle's cosine and sine, rate and acceleration. */
struct link {
    struct vec arm;
    double c, s, omega, alpha;
};

/* A dyad: two links of given lengths from M and N that meet, to the left of the way from M to N (side = 1) or to the
 * right of it (-1). */
static void dyad(struct moving M, struct moving N, double first, double second, double side, struct link* one,
                 struct link* two) {
    const struct vec MN = add(N.p, -1, M.p);
    const double square = MN.x * MN.x + MN.y * MN.y;
    const double along = 0.5 + 0.5 * (first * first - second * second) / square;
    const double across = side * sqrt(first * first / square - along * along);
    one->arm = (struct vec){along * MN.x - across * MN.y, along * MN.y + across * MN.x};
    two->arm = add(one->arm, -1, MN);
    solve_rates(one->arm, two->arm, add(N.v, -1, M.v), &one->omega, &two->omega);
    const struct vec bend = add(add(M.a, -one->omega * one->omega, one->arm), two->omega * two->omega, two->arm);
    solve_rates(one->arm, two->arm, add(N.a, -1, bend), &one->alpha, &two->alpha);
    one->c = one->arm.x / first, one->s = one->arm.y / first;
    two->c = two->arm.x / second, two->s = two->arm.y / second;
}

/* A point of a link, (x, y) in its axes, whose origin moves as given. */
static struct moving on(struct moving origin, struct link link, double x, double y) {
    const struct vec arm = {link.c * x - link.s * y, link.s * x + link.c * y}, side = turned(arm);
    return (struct moving){add(origin.p, 1, arm), add(origin.v, link.omega, side),
                           add(add(origin.a, link.alpha, side), -link.omega * link.omega, arm)};
}

/* A body of `width` numbers an order: motion of its origin and of its angle. */
static void write_body(double* out, int width, struct moving at, double angle, double omega, double alpha) {
    out[0] = at.p.x, out[1] = at.p.y, out[2] = angle;
    out[width] = at.v.x, out[width + 1] = at.v.y, out[width + 2] = omega;
    out[2 * width] = at.a.x, out[2 * width + 1] = at.a.y, out[2 * width + 2] = alpha;
}

/* Watt's six-bar of examples/watt_six_bar.toml: a four-bar A B C D, then a dyad from E of the coupler and F of the rocker
 * to H. out[count][3][15]: crank (at A), coupler (at B), rocker (at D), tracer (at E), brace (at F).
 * lengths: crank, coupler, E.x, E.y, rocker, F.x, F.y, tracer, brace, ground. */
void watt_six_bar(const double* lengths, double start, double rate, int count, const double* t, double* out) {
    const double crank = lengths[0], coupler = lengths[1], rocker = lengths[4], tracer = lengths[7], brace = lengths[8];
    const struct moving A = {{0, 0}, {0, 0}, {0, 0}}, D = {{lengths[9], 0}, {0, 0}, {0, 0}};
    for (int k = 0; k < count; ++k, out += 45) {
        const double angle = start + rate * t[k];
        const struct vec AB = {crank * cos(angle), crank * sin(angle)};
        const struct moving B = {AB, {-rate * AB.y, rate * AB.x}, {-rate * rate * AB.x, -rate * rate * AB.y}};
        struct link BC, DC, EH, FH;
        dyad(B, D, coupler, rocker, 1, &BC, &DC);
        const struct moving E = on(B, BC, lengths[2], lengths[3]), F = on(D, DC, lengths[5], lengths[6]);
        dyad(E, F, tracer, brace, -1, &EH, &FH);
        write_body(out, 15, A, angle, rate, 0);
        write_body(out + 3, 15, B, atan2(BC.s, BC.c), BC.omega, BC.alpha);
        write_body(out + 6, 15, D, atan2(DC.s, DC.c), DC.omega, DC.alpha);
        write_body(out + 9, 15, E, atan2(EH.s, EH.c), EH.omega, EH.alpha);
        write_body(out + 12, 15, F, atan2(FH.s, FH.c), FH.omega, FH.alpha);
    }
}

void slider_cranks(int variants, const double* lengths, double start, double rate, int count, const double* t,
                   double* out) {
    for (int k = 0; k < variants; ++k) slider_crank(lengths + 2 * k, start, rate, count, t, out);
}

void watt_six_bars(int variants, const double* lengths, double start, double rate, int count, const double* t,
                   double* out) {
    for (int k = 0; k < variants; ++k) watt_six_bar(lengths + 10 * k, start, rate, count, t, out);
}
