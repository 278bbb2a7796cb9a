// Functions of one state of a tree in the coordinates of its joints: M, efforts, accelerations, energies, Jacobians and
// derivatives. A workspace is allocated once; an evaluation changes nothing else.
#pragma once
#include <algorithm>
#include <vector>

#include "../tree/crba.hpp"
#include "../tree/energy.hpp"
#include "../tree/joint_coordinates.hpp"
#include "forward_derivatives.hpp"

namespace mubo {

// A place on a link, in its axes.
struct LinkPlace {
    int link;
    Vector at;
    Quaternion<double> turned;  // of the body's axes on the link
    double angle;               // of the plane: the same, full turns counted
    bool whole;                 // a body, not a point of it
};

class StateFunctions {
  public:
    StateFunctions(const TreeSystem& s, const JointCoordinates& joints, bool plane)
        : s_(s),
          joints_(joints),
          plane_(plane),
          work_(s),
          d_(s),
          factor_(joints.same ? inboard_of(s) : one_after_the_other(s.velocities)),
          n_(s.velocities),
          q_(s.positions),
          v_(n_),
          a_(n_),
          tau_(n_),
          orientation_(s.links()) {}

    void mass_matrix(const double* q, double* M) {
        crba(s_, positions(q), work_, joints_.same ? M : square_(1));
        if (!joints_.same) congruent(q, square_(1), M);
    }
    Fault inverse_dynamics(double t, const double* q, const double* v, const double* a, double* tau) {
        motion(q, v, a);
        const Fault fault = rnea(s_, t, Q_, V_, A_, work_, joints_.same ? tau : tau_.data());
        if (!joints_.same) joints_.to_joints(q, tau_.data(), 1, tau);
        return fault;
    }
    // a with M a + h + J'lam = tau, J a = gamma.
    Fault forward_dynamics(double t, const double* q, const double* v, const double* tau, double* a) {
        motion(q, v, nullptr);
        std::fill(work_.a.begin(), work_.a.end(), 0.0);
        auto& friction = work_.reaction_friction.size;  // an answer must not depend on the state before
        std::fill(friction.begin(), friction.end(), 0.0);
        if (joints_.same) return mubo::forward_dynamics(s_, t, Q_, V_, tau, work_, a, nullptr);
        if (!joints_.solve(q, tau, true, tau_.data())) return {singular, -1};
        const Fault fault = mubo::forward_dynamics(s_, t, Q_, V_, tau_.data(), work_, a_.data(), nullptr);
        if (fault.status != done) return fault;
        if (joints_.turns_axes) {  // less the accelerations at constant rates
            std::vector<double>& turning = square_vector(0);
            std::fill(tau_.begin(), tau_.end(), 0.0);
            joints_.to_links(q, v, tau_.data(), q_.data(), v_.data(), turning.data());
            for (int k = 0; k < n_; ++k) a_[k] -= turning[k];
        }
        joints_.solve(q, a_.data(), false, a);
        return {};
    }
    Fault energies(double t, const double* q, const double* v, double* out) {
        motion(q, v, nullptr);
        TreeEnergy e;
        const Fault fault = energy(s_, t, Q_, V_, work_, e);
        out[0] = e.kinetic, out[1] = e.gravity + e.springs;
        return fault;
    }
    // Rows of the velocity of a point, or of the angular velocity and the velocity of a body's origin, over rates.
    void jacobian(const LinkPlace& at, const double* q, double* J) {
        motion(q, nullptr, nullptr);
        move(s_, Q_, V_, A_, {0, 0, 0}, work_);
        double* to = joints_.same ? J : square_(0);
        const int spins = at.whole ? (plane_ ? 1 : 3) : 0, rows = spins + (plane_ ? 2 : 3);
        std::fill(to, to + rows * n_, 0.0);
        const Vector place = at.link < 0 ? at.at : work_.of(at.link).at.r + work_.of(at.link).at.R * at.at;
        for (int i = at.link; i >= 0; i = s_.link[i].parent) {
            const LinkWork& k = work_.of(i);
            for (int c = 0; c < kind_velocities[s_.link[i].kind]; ++c) {
                const SpatialMotion u = unit_motion(s_.link[i], k, c, k.at.r - place);
                const double zero = 0;  // added, so that no zero has a sign
                const double all[6] = {u.w.x + zero, u.w.y + zero, u.w.z + zero,
                                       u.v.x + zero, u.v.y + zero, u.v.z + zero};
                for (int r = 0; r < rows; ++r)
                    to[r * n_ + s_.link[i].v + c] = r < spins ? all[plane_ ? 2 : r] : all[3 + r - spins];
            }
        }
        if (!joints_.same) joints_.times_blocks(q, to, rows, J);
    }
    // Place of a point; of a body its origin and its quaternion, in the plane its angle with full turns.
    void place(const LinkPlace& at, const double* q, double* out) {
        motion(q, nullptr, nullptr);
        move(s_, Q_, V_, A_, {0, 0, 0}, work_);
        const LinkWork& k = work_.of(at.link);
        const Vector r = k.at.r + k.at.R * at.at;
        *out++ = r.x, *out++ = r.y;
        if (plane_) {
            if (at.whole) *out = k.plane_angle + at.angle;
            return;
        }
        *out++ = r.z;
        if (!at.whole) return;
        orient(s_, Q_, orientation_.data());
        const Quaternion<double> p = at.link < 0 ? at.turned : orientation_[at.link] * at.turned;
        out[0] = p.w, out[1] = p.x, out[2] = p.y, out[3] = p.z;
    }
    // J of the independent rows that close loops.
    void loop_rows(double t, const double* q, double* J) {
        motion(q, nullptr, nullptr);
        closed().place(s_, t, Q_, V_, work_);
        loop_jacobian(s_, closed(), work_, joints_.same ? J : square_(0));
        if (!joints_.same) joints_.times_blocks(q, square_(0), rows(), J);
    }
    int rows() const {
        if (!s_.loop_closure) return 0;
        return static_cast<int>(std::count(closed().active().begin(), closed().active().end(), 1));
    }

    // Derivatives of efforts by q (along the rates) and by v at constant a, and M.
    Fault inverse_derivatives(double t, const double* q, const double* v, const double* a, double* by_q, double* by_v,
                              double* M) {
        motion(q, v, a);
        double *Dq = by_q, *Dv = by_v, *H = M;
        if (!joints_.same) Dq = square_(1), Dv = square_(2), H = square_(3);
        const Fault fault = in_links(t, H, Dq, Dv);
        if (fault.status != done || joints_.same) return fault;
        congruent(q, H, M), congruent(q, Dq, by_q), congruent(q, Dv, by_v);
        if (joints_.turns_axes) add_turning_axes(t, q, v, a, H, Dv, by_q, by_v);
        return fault;
    }
    // Derivatives of accelerations by q (along the rates), by v and by tau.
    Fault forward_derivatives(double t, const double* q, const double* v, const double* tau, double* by_q, double* by_v,
                              double* by_tau) {
        std::vector<double> a(n_);
        Fault fault = forward_dynamics(t, q, v, tau, a.data());
        if (fault.status != done) return fault;
        std::vector<double> lam;
        for (int r = 0; s_.loop_closure && r < closed().rows().equations; ++r)
            if (closed().active()[r]) lam.push_back(work_.loops.lam[r]);
        fault = inverse_derivatives(t, q, v, a.data(), by_q, by_v, square_(4));
        if (fault.status != done) return fault;
        if (!factor_.factor(square_(4))) return {zero_inertia, -1};
        std::fill(by_tau, by_tau + n_ * n_, 0.0);
        for (int k = 0; k < n_; ++k) by_tau[k * n_ + k] = -1;
        if (!lam.empty()) return with_loops(t, q, v, a.data(), lam, by_q, by_v, by_tau);
        for (double* X : {by_q, by_v, by_tau}) {
            factor_.solve(X, n_);
            for (int k = 0; k < n_ * n_; ++k) X[k] = -X[k];
        }
        return {};
    }

  private:
    const TreeSystem& s_;
    const JointCoordinates& joints_;
    const bool plane_;
    TreeWork work_;
    DerivativeWork d_;
    SymmetricFactor factor_;
    const int n_;
    std::vector<double> q_, v_, a_, tau_;
    std::vector<Quaternion<double>> orientation_;
    std::vector<double> squares_[5];
    const double *Q_ = nullptr, *V_ = nullptr, *A_ = nullptr;  // of the links

    const ClosedTree& closed() const { return static_cast<const ClosedTree&>(*s_.loop_closure); }
    std::vector<double>& square_vector(int k) {
        const size_t size = static_cast<size_t>(std::max(n_, 6 + rows())) * std::max(n_, 1);
        if (squares_[k].size() < size) squares_[k].resize(size);
        return squares_[k];
    }
    double* square_(int k) { return square_vector(k).data(); }
    const double* positions(const double* q) {
        if (joints_.same) return q;
        joints_.to_links(q, nullptr, nullptr, q_.data(), nullptr, nullptr);
        return q_.data();
    }
    // Sets the motion of the links; rates and accelerations that are null are zero.
    void motion(const double* q, const double* v, const double* a) {
        if (!v) std::fill(v_.begin(), v_.end(), 0.0);
        if (!a) std::fill(a_.begin(), a_.end(), 0.0);
        Q_ = joints_.same ? q : q_.data(), V_ = joints_.same && v ? v : v_.data();
        A_ = joints_.same && a ? a : a_.data();
        if (!joints_.same) joints_.to_links(q, v, a, q_.data(), v_.data(), a_.data());
    }
    // out = B'x B.
    void congruent(const double* q, const double* x, double* out) {
        joints_.to_joints(q, x, n_, square_(0));
        joints_.times_blocks(q, square_(0), n_, out);
    }
    // M and the derivatives of efforts of the links at their motion.
    Fault in_links(double t, double* M, double* Dq, double* Dv) {
        for (double* X : {M, Dq, Dv}) std::fill(X, X + n_ * n_, 0.0);
        move(s_, Q_, V_, A_, Gravity::ground_acceleration(s_.gravity), work_);
        gather(s_, work_, d_);
        mubo::inverse_derivatives(s_, d_, M, Dq, Dv);
        return subtract_load_derivatives(s_, t, Q_, V_, work_, d_, Dq, Dv);
    }

    // The change of B with q: w = B v, dw/dt = B a + g and tau = B'tau_links are differentiated by dual numbers.
    void add_turning_axes(double t, const double* q, const double* v, const double* a, const double* H,
                          const double* Dv, double* by_q, double* by_v) {
        using T = Dual<6>;
        rnea(s_, t, Q_, V_, A_, work_, tau_.data());
        for (const JointLink& j : joints_.joint) {
            if (j.kind != ball || !j.turns_axes()) continue;
            T rates[3], bends[3], angles[3];
            for (int k = 0; k < 3; ++k) {
                rates[k] = T::variable(v[j.at_v + k], 3 + k), bends[k] = T(a[j.at_v + k]);
                if (j.euler[0] >= 0) angles[k] = T::variable(q[j.at_q + k], k);
            }
            const BallAxes<T> ball = j.euler[0] >= 0 ? euler_axes(j.euler, angles) : turned(joints_.axes(j, q).p);
            Vector3<T> w, turn;
            ball_motion(j, ball, rates, bends, w, turn);
            const T W[3] = {w.x, w.y, w.z}, A[3] = {turn.x, turn.y, turn.z};
            for (int k = 0; k < 3; ++k) {
                std::vector<double> x(n_), y(n_), out(n_);
                for (int r = 0; r < n_; ++r)
                    for (int i = 0; i < 3; ++i) {
                        x[r] += Dv[r * n_ + j.v + i] * W[i].d[k] + H[r * n_ + j.v + i] * A[i].d[k];
                        y[r] += H[r * n_ + j.v + i] * A[i].d[3 + k];
                    }
                joints_.to_joints(q, x.data(), 1, out.data());
                for (int r = 0; r < n_; ++r) by_q[r * n_ + j.at_v + k] += out[r];
                joints_.to_joints(q, y.data(), 1, out.data());
                for (int r = 0; r < n_; ++r) by_v[r * n_ + j.at_v + k] += out[r];
            }
            add_effort_turning(j, ball, by_q);
        }
    }
    // A rotation under a small turn about the axes of the second body.
    static BallAxes<Dual<6>> turned(const Quaternion<double>& p) {
        using T = Dual<6>;
        const Quaternion<T> at{T(p.w), T(p.x), T(p.y), T(p.z)};
        const T half(0.5);
        return {at * Quaternion<T>{T(1), half * T::variable(0, 0), half * T::variable(0, 1), half * T::variable(0, 2)},
                {}};
    }
    // (dB/dq)'tau of the efforts of the links in tau_.
    void add_effort_turning(const JointLink& j, const BallAxes<Dual<6>>& ball, double* by_q) {
        using T = Dual<6>;
        const double* tau = tau_.data() + j.v;
        for (int r = 0; r < 3; ++r) {
            T unit[3], none[3];
            unit[r] = T(1);
            Vector3<T> column, unused;
            ball_motion(j, ball, unit, none, column, unused);
            const T sum = T(tau[0]) * column.x + T(tau[1]) * column.y + T(tau[2]) * column.z;
            for (int k = 0; k < 3; ++k) by_q[(j.at_v + r) * n_ + j.at_v + k] += sum.d[k];
        }
    }

    Fault with_loops(double t, const double* q, const double* v, const double* a, const std::vector<double>& lam,
                     double* by_q, double* by_v, double* by_tau) {
        const int m = static_cast<int>(lam.size());
        std::vector<double> J(m * n_), cq(m * n_), cv(m * n_), Dq(n_ * n_), MJ(n_ * m), S(m * m), L(m * n_);
        motion(q, v, a);
        add_loop_derivatives(s_, closed(), t, Q_, V_, A_, lam, work_, Dq.data(), cq.data(), cv.data());
        if (!joints_.same) {
            std::vector<double> x = Dq;
            congruent(q, x.data(), Dq.data());
            for (std::vector<double>* c : {&cq, &cv}) x = *c, joints_.times_blocks(q, x.data(), m, c->data());
        }
        for (int k = 0; k < n_ * n_; ++k) by_q[k] += Dq[k];
        loop_rows(t, q, J.data());
        for (int r = 0; r < m; ++r)
            for (int k = 0; k < n_; ++k) MJ[k * m + r] = J[r * n_ + k];
        factor_.solve(MJ.data(), m);
        for (int r = 0; r < m; ++r)
            for (int c = 0; c < m; ++c)
                for (int k = 0; k < n_; ++k) S[r * m + c] += J[r * n_ + k] * MJ[k * m + c];
        SymmetricFactor rows(one_after_the_other(m));
        if (!rows.factor(S.data())) return {singular_loop, -1};
        const std::vector<double> none(m * n_);
        const std::pair<double*, const double*> sides[] = {{by_q, cq.data()}, {by_v, cv.data()}, {by_tau, none.data()}};
        for (const auto& [X, c] : sides) {  // X: dR, becomes -M^-1 (dR + J'dlam) with J M^-1 J'dlam = dc - J M^-1 dR
            factor_.solve(X, n_);
            std::copy(c, c + m * n_, L.begin());
            for (int r = 0; r < m; ++r)
                for (int k = 0; k < n_; ++k)
                    for (int i = 0; i < n_; ++i) L[r * n_ + i] -= J[r * n_ + k] * X[k * n_ + i];
            rows.solve(L.data(), n_);
            for (int k = 0; k < n_; ++k)
                for (int i = 0; i < n_; ++i) {
                    for (int r = 0; r < m; ++r) X[k * n_ + i] += MJ[k * m + r] * L[r * n_ + i];
                    X[k * n_ + i] = -X[k * n_ + i];
                }
        }
        return {};
    }
};

}  // namespace mubo
