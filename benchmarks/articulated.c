/* Yardstick for trees: the articulated-body algorithm in plain C, in link axes as Featherstone (2008, table 7.1) writes
   it, with 3 x 3 blocks. All frames are parallel where the coordinates are zero; a link turns about its x, y or z axis
   (kind 0, 1, 2) or in a ball (kind 3: quaternion w, x, y, z; angular velocity in link axes). Nothing else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double V[3], M[9]; /* M: by rows */
typedef struct {
    M A, B, C, R, D;           /* articulated inertia [A B; B' C], axes of the link in its parent, inverse of a ball's A */
    V n, f, w, v, cw, cv, uw, uv, aw, av; /* bias force, velocity, velocity products, U, acceleration */
    double d, u;
} Link;

static void cross(V o, const V a, const V b) {
    o[0] = a[1] * b[2] - a[2] * b[1], o[1] = a[2] * b[0] - a[0] * b[2], o[2] = a[0] * b[1] - a[1] * b[0];
}
static void times(V o, const M A, const V x) {
    for (int i = 0; i < 3; i++) o[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}
static void transposed_times(V o, const M A, const V x) {
    for (int i = 0; i < 3; i++) o[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}
static void skew(M o, const V a) {
    const M S = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    memcpy(o, S, sizeof S);
}
static void product(M o, const M A, const M B) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            o[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}
static void to_parent(M A, const M R) { /* R A R' */
    M T;
    product(T, R, A);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            A[3 * i + j] = T[3 * i] * R[3 * j] + T[3 * i + 1] * R[3 * j + 1] + T[3 * i + 2] * R[3 * j + 2];
}
static void turn(M R, int k, double angle) {
    const double c = cos(angle), s = sin(angle);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    memset(R, 0, sizeof(M));
    R[4 * k] = 1, R[4 * i] = R[4 * j] = c, R[3 * i + j] = -s, R[3 * j + i] = s;
}
static void ball(M R, const double* q) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const M T = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    memcpy(R, T, sizeof T);
}
static void inverse(M o, const M A) {
    const double x = A[4] * A[8] - A[5] * A[7], y = A[5] * A[6] - A[3] * A[8], z = A[3] * A[7] - A[4] * A[6];
    const double k = 1 / (A[0] * x + A[1] * y + A[2] * z);
    o[0] = k * x, o[1] = o[3] = k * y, o[2] = o[6] = k * z, o[4] = k * (A[0] * A[8] - A[2] * A[6]);
    o[5] = o[7] = k * (A[1] * A[6] - A[0] * A[7]), o[8] = k * (A[0] * A[4] - A[1] * A[3]);
}

/* Velocities, velocity products, rigid inertia and its bias force. */
static void outwards(Link* l, const Link* p, int kind, const double* s, double m, const double* h, const double* I,
                     const double* q, const double* v) {
    V w = {0, 0, 0}, u = {0, 0, 0}, rel = {0, 0, 0}, L, P, t;
    if (p) {
        cross(u, p->w, s);
        for (int i = 0; i < 3; i++) w[i] = p->w[i], u[i] += p->v[i];
    }
    if (kind == 3) ball(l->R, q), memcpy(rel, v, sizeof rel);
    else turn(l->R, kind, q[0]), rel[kind] = v[0];
    transposed_times(l->w, l->R, w), transposed_times(l->v, l->R, u);
    for (int i = 0; i < 3; i++) l->w[i] += rel[i];
    cross(l->cw, l->w, rel), cross(l->cv, l->v, rel);
    memcpy(l->A, I, sizeof(M)), skew(l->B, h), memset(l->C, 0, sizeof(M));
    l->C[0] = l->C[4] = l->C[8] = m;
    times(L, I, l->w), cross(t, h, l->v);
    cross(P, l->w, h);
    for (int i = 0; i < 3; i++) L[i] += t[i], P[i] += m * l->v[i];
    cross(l->n, l->w, L), cross(t, l->v, P), cross(l->f, l->w, P);
    for (int i = 0; i < 3; i++) l->n[i] += t[i];
}

/* Articulated inertia and bias force, handed over to the parent. */
static void inwards(Link* l, Link* p, int k, const double* s) {
    V n, f, t, e, g;
    M S, T, Q;
    if (k == 3) {
        inverse(l->D, l->A);
        if (!p) return;
        product(T, l->D, l->B); /* D^-1 B; A and B vanish, C - B' D^-1 B */
        transposed_times(t, T, l->n);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                Q[3 * i + j] = l->C[3 * i + j] - l->B[i] * T[j] - l->B[3 + i] * T[3 + j] - l->B[6 + i] * T[6 + j];
        times(e, Q, l->cv);
        for (int i = 0; i < 3; i++) g[i] = l->f[i] - t[i] + e[i];
        times(f, l->R, g), memset(n, 0, sizeof n);
        to_parent(Q, l->R);
    } else {
        for (int i = 0; i < 3; i++) l->uw[i] = l->A[3 * i + k], l->uv[i] = l->B[3 * k + i];
        l->d = 1 / l->uw[k], l->u = -l->n[k];
        if (!p) return;
        M A, B;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                A[3 * i + j] = l->A[3 * i + j] - l->d * l->uw[i] * l->uw[j];
                B[3 * i + j] = l->B[3 * i + j] - l->d * l->uw[i] * l->uv[j];
                Q[3 * i + j] = l->C[3 * i + j] - l->d * l->uv[i] * l->uv[j];
            }
        times(e, A, l->cw), times(g, B, l->cv);
        for (int i = 0; i < 3; i++) t[i] = l->n[i] + e[i] + g[i] + l->d * l->u * l->uw[i];
        times(n, l->R, t);
        transposed_times(e, B, l->cw), times(g, Q, l->cv);
        for (int i = 0; i < 3; i++) t[i] = l->f[i] + e[i] + g[i] + l->d * l->u * l->uv[i];
        times(f, l->R, t);
        to_parent(A, l->R), to_parent(B, l->R), to_parent(Q, l->R);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) p->A[3 * i + j] += A[3 * i + j];
        M W;
        skew(S, s);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) W[3 * i + j] = B[3 * j + i];
        product(T, S, W); /* S B', and its transpose -B S */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) p->A[3 * i + j] += T[3 * i + j] + T[3 * j + i], p->B[3 * i + j] += B[3 * i + j];
    }
    skew(S, s), product(T, S, Q);
    for (int i = 0; i < 9; i++) p->B[i] += T[i], p->C[i] += Q[i];
    product(Q, T, S);
    for (int i = 0; i < 9; i++) p->A[i] -= Q[i];
    cross(t, s, f);
    for (int i = 0; i < 3; i++) p->n[i] += n[i] + t[i], p->f[i] += f[i];
}

static void accelerate(Link* l, const Link* p, int k, const double* s, const double* g, double* a) {
    V w = {0, 0, 0}, u = {-g[0], -g[1], -g[2]}, t;
    if (p) {
        cross(u, p->aw, s);
        for (int i = 0; i < 3; i++) w[i] = p->aw[i], u[i] += p->av[i];
    }
    transposed_times(l->aw, l->R, w), transposed_times(l->av, l->R, u);
    for (int i = 0; i < 3; i++) l->aw[i] += l->cw[i], l->av[i] += l->cv[i];
    if (k == 3) {
        times(t, l->B, l->av);
        for (int i = 0; i < 3; i++) t[i] = -l->n[i] - t[i];
        times(w, l->D, t);
        for (int i = 0; i < 3; i++) a[i] = w[i] - l->aw[i], l->aw[i] = w[i];
        return;
    }
    a[0] = l->u;
    for (int i = 0; i < 3; i++) a[0] -= l->uw[i] * l->aw[i] + l->uv[i] * l->av[i];
    a[0] *= l->d, l->aw[k] += a[0];
}

/* The same accelerations `repeats` times over. h = m c and I stand about the origin of the link; s is its hinge. */
void articulated(int n, const int* parent, const int* kind, const double* s, const double* m, const double* h,
                 const double* I, const double* g, const double* q, const double* v, double* a, int repeats) {
    Link* l = malloc(n * sizeof(Link));
    int* at = malloc(2 * n * sizeof(int));
    for (int k = 0, i = 0, j = 0; k < n; k++) {
        at[2 * k] = i, at[2 * k + 1] = j;
        i += kind[k] == 3 ? 4 : 1, j += kind[k] == 3 ? 3 : 1;
    }
    while (repeats-- > 0) {
        for (int k = 0; k < n; k++)
            outwards(l + k, parent[k] < 0 ? 0 : l + parent[k], kind[k], s + 3 * k, m[k], h + 3 * k, I + 9 * k,
                     q + at[2 * k], v + at[2 * k + 1]);
        for (int k = n - 1; k >= 0; k--) inwards(l + k, parent[k] < 0 ? 0 : l + parent[k], kind[k], s + 3 * k);
        for (int k = 0; k < n; k++)
            accelerate(l + k, parent[k] < 0 ? 0 : l + parent[k], kind[k], s + 3 * k, g, a + at[2 * k + 1]);
    }
    free(l), free(at);
}
