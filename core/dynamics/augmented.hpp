// The matrix of the absolute form, [A J'; J 0] with A = m M + c C + k K, in one static elimination order of bodies and
// rows, over real and complex numbers. C and K are the symmetric parts of the loads' damping and stiffness; gyroscopic
// terms and the derivative of J' lam are omitted: where Newton's method fails without them, the step control shortens
// the step.
//
// A body without full inertia has a singular block. Its rows then add the penalty p J'J to A and p J'b to the right
// side, with J x = b: the solution is the same, and the body can be eliminated first (augmented Lagrangian; Fortin and
// Glowinski 1983).
#pragma once
#include <map>
#include <memory>

#include "../linear/minimum_degree.hpp"
#include "../linear/static_ldl.hpp"
#include "bodies.hpp"

namespace mubo {

inline bool has_inertia(const Plane&, const double* mass) {
    return mass[0] > 0 && mass[3] > 0;
}
inline bool has_inertia(const Space&, const double* mass) {
    const Symmetric3<double> I{mass[4], mass[5], mass[6], mass[7], mass[8], mass[9]};
    Symmetric3<double> out;
    return mass[0] > 0 && inverse(I, 1e-9, out);
}

// The positions of the unknowns and their pairs in the factors.
template <class System>
struct AugmentedPlan {
    static constexpr int n = System::dofs;
    LdlPattern pattern;
    std::vector<int> body, row;   // the first unknown of every moving body; the unknown of every row
    std::vector<int> equation;    // of every unknown, -1 for those of bodies
    std::vector<int> end;         // [equation][most_bodies]: moving bodies, -1 none
    std::vector<char> penalised;  // rows of bodies without full inertia
    double size = 1;              // mean mass, the scale of the penalty

    explicit AugmentedPlan(const Bodies<System>& b) : body(b.free()), row(b.equations()), penalised(b.equations()) {
        end.assign(static_cast<size_t>(max_bodies) * b.equations(), -1);
        std::map<std::vector<int>, int> node_of;  // rows between the same bodies
        std::vector<int> own(b.equations());
        std::vector<std::vector<int>> waits(b.free());
        std::vector<int> sizes(b.free(), n);
        using World = typename Bodies<System>::World;
        constexpr int numbers = Bodies<System>::Mass::numbers;
        double sum = 0;
        for (int k = 0; k < b.free(); ++k) sum += b.mass[numbers * k];
        if (sum > 0) size = sum / b.free();
        b.rows.for_each([&](auto kind, const Instance& at) {
            using Row = decltype(kind);
            std::vector<int> joined;
            bool light = false;
            for (int k = 0; k < Row::bodies; ++k) {
                if (at.body[k] >= b.free()) continue;
                joined.push_back(at.body[k]);
                light = light || !has_inertia(World{}, b.mass.data() + numbers * at.body[k]);
                for (int r = 0; r < Row::rows; ++r) end[max_bodies * (at.row + r) + k] = at.body[k];
            }
            std::sort(joined.begin(), joined.end());
            joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
            const auto [found, fresh] = node_of.insert({joined, static_cast<int>(waits.size())});
            if (fresh) waits.push_back(joined), sizes.push_back(0);
            for (int r = 0; r < Row::rows; ++r) own[at.row + r] = found->second, penalised[at.row + r] = light;
            sizes[found->second] += Row::rows;
        });
        lay_out(b, sizes, waits, own);
    }

  private:
    void lay_out(const Bodies<System>& b, const std::vector<int>& sizes, const std::vector<std::vector<int>>& waits,
                 const std::vector<int>& own) {
        MinimumDegree elimination(sizes, waits);
        for (size_t k = b.free(); k < waits.size(); ++k)
            for (int other : waits[k]) elimination.couple(static_cast<int>(k), other);
        for (const BodyLoad& at : b.loads.load)
            if (at.body[0] < b.free() && at.body[1] < b.free()) elimination.couple(at.body[0], at.body[1]);
        for (int e = 0; e < b.equations(); ++e)
            if (penalised[e])
                for (int i : waits[own[e]])
                    for (int j : waits[own[e]]) elimination.couple(i, j);
        const auto order = elimination.order();
        std::vector<int> first(sizes.size());
        int count = 0;
        for (const auto& [node, later] : order) {
            first[node] = count;
            count += sizes[node];
        }
        for (const auto& [node, later] : order) {
            std::vector<int> rest;
            for (int other : later)
                for (int c = 0; c < sizes[other]; ++c) rest.push_back(first[other] + c);
            std::sort(rest.begin(), rest.end());
            for (int c = 0; c < sizes[node]; ++c) {
                for (int d = c + 1; d < sizes[node]; ++d) pattern.row.push_back(first[node] + d);
                pattern.row.insert(pattern.row.end(), rest.begin(), rest.end());
                pattern.start.push_back(static_cast<int>(pattern.row.size()));
            }
        }
        pattern.find_targets();
        for (int k = 0; k < b.free(); ++k) body[k] = first[k];
        equation.assign(pattern.size(), -1);
        for (int e = 0; e < b.equations(); ++e) equation[row[e] = first[own[e]]++] = e;
    }
};

// Entries of A and J at a state, from which matrices for several (m, c, k) are assembled.
template <class System>
class Augmented {
  public:
    static constexpr int n = System::dofs;
    std::vector<double> J;  // as in StateEvaluation
    static constexpr int block = n * n, pair = 4 * n * n;

    Augmented(const Bodies<System>& b, const AugmentedPlan<System>& plan)
        : J(static_cast<size_t>(max_bodies) * n * b.equations()),
          b_(b),
          plan_(plan),
          M_(static_cast<size_t>(block) * b.free()),
          K_(static_cast<size_t>(pair) * b.loads.load.size()),
          C_(K_.size()) {}

    void swap(Augmented& other) {
        std::swap(M_, other.M_), std::swap(K_, other.K_), std::swap(C_, other.C_), std::swap(J, other.J);
    }
    void set_masses(const StateEvaluation<System>& at) {
        constexpr int numbers = Bodies<System>::Mass::numbers;
        for (int k = 0; k < b_.free(); ++k)
            mass_matrix(b_.mass.data() + numbers * k, at.pose[k], M_.data() + block * k);
        J = at.J;
    }
    // The loads of `at` must have been evaluated.
    void load_derivatives(StateEvaluation<System>& at, const double* near) {
        for (size_t k = 0; k < b_.loads.load.size(); ++k)
            at.load_derivatives(k, near, K_.data() + pair * k, C_.data() + pair * k);
    }

    template <class T>
    void assemble(StaticLdl<T>& to, T m, double c, T k) const {
        to.clear();
        for (int body = 0; body < b_.free(); ++body)
            for (int r = 0; r < n; ++r)
                for (int s = 0; s <= r; ++s)
                    add(to, plan_.body[body] + r, plan_.body[body] + s, m * T(M_[block * body + n * r + s]));
        for (size_t l = 0; l < b_.loads.load.size(); ++l) add_load(to, l, c, k);
        for (int e = 0; e < b_.equations(); ++e) {
            if (!b_.active[e]) continue;
            if (plan_.penalised[e]) add_penalty(to, e, m * T(plan_.size));
            for (int i = 0; i < max_bodies; ++i) {
                const int body = plan_.end[max_bodies * e + i];
                if (body < 0) continue;
                const double* own = J.data() + (static_cast<size_t>(max_bodies) * e + i) * n;
                for (int s = 0; s < n; ++s) add(to, plan_.row[e], plan_.body[body] + s, T(own[s]));
            }
        }
    }

    // Solves [A J'; J 0] (x, mu) = (f, b); `m` as in `assemble`. `room` has an entry per unknown.
    template <class T>
    void solve(const StaticLdl<T>& factor, T m, const T* f, const T* b, T* room, T* x, T* mu) const {
        for (int k = 0; k < b_.free(); ++k)
            for (int c = 0; c < n; ++c) room[plan_.body[k] + c] = f[n * k + c];
        for (int e = 0; e < b_.equations(); ++e) {
            room[plan_.row[e]] = b_.active[e] ? b[e] : T(0);
            if (!plan_.penalised[e] || !b_.active[e]) continue;
            const T p = m * T(plan_.size) * b[e];
            for (int i = 0; i < max_bodies; ++i) {
                const int body = plan_.end[max_bodies * e + i];
                if (body < 0) continue;
                const double* own = J.data() + (static_cast<size_t>(max_bodies) * e + i) * n;
                for (int s = 0; s < n; ++s) room[plan_.body[body] + s] += p * T(own[s]);
            }
        }
        factor.solve(room);
        for (int k = 0; k < b_.free(); ++k)
            for (int c = 0; c < n; ++c) x[n * k + c] = room[plan_.body[k] + c];
        for (int e = 0; e < b_.equations(); ++e) mu[e] = room[plan_.row[e]];
    }

    // out = J v - nu.
    void rates(const double* v, const std::vector<double>& nu, double* out) const {
        for (int e = 0; e < b_.equations(); ++e) {
            out[e] = -nu[e];
            for (int i = 0; i < max_bodies; ++i)
                if (const int body = plan_.end[max_bodies * e + i]; body >= 0)
                    for (int s = 0; s < n; ++s)
                        out[e] += J[(static_cast<size_t>(max_bodies) * e + i) * n + s] * v[n * body + s];
        }
    }
    // M x of all bodies.
    void times_mass(const double* x, double* out) const {
        for (int k = 0; k < b_.free(); ++k)
            for (int r = 0; r < n; ++r) {
                double sum = 0;
                for (int s = 0; s < n; ++s) sum += M_[block * k + n * r + s] * x[n * k + s];
                out[n * k + r] = sum;
            }
    }
    // out -= factor K x of the loads.
    void less_stiffness(double factor, const double* x, double* out) const {
        for (size_t l = 0; l < b_.loads.load.size(); ++l) {
            const BodyLoad& at = b_.loads.load[l];
            for (int i = 0; i < ends(at); ++i)
                for (int j = 0; j < ends(at); ++j) {
                    if (at.body[i] >= b_.free() || at.body[j] >= b_.free()) continue;
                    for (int r = 0; r < n; ++r)
                        for (int s = 0; s < n; ++s)
                            out[n * at.body[i] + r] -=
                                factor * symmetric(K_, l, n * i + r, n * j + s) * x[n * at.body[j] + s];
                }
        }
    }

  private:
    const Bodies<System>& b_;
    const AugmentedPlan<System>& plan_;
    std::vector<double> M_, K_, C_;

    static int ends(const BodyLoad& at) { return at.along == Along::body ? 1 : 2; }
    static double symmetric(const std::vector<double>& from, size_t load, int r, int s) {
        const double* own = from.data() + pair * load;
        return 0.5 * (own[2 * n * r + s] + own[2 * n * s + r]);
    }
    template <class T>
    void add(StaticLdl<T>& to, int i, int j, const T& value) const {
        if (i == j)
            to.diagonal[i] += value;
        else
            to.below[i > j ? plan_.pattern.entry(i, j) : plan_.pattern.entry(j, i)] += value;
    }
    template <class T>
    void add_load(StaticLdl<T>& to, size_t l, double c, const T& k) const {
        const BodyLoad& at = b_.loads.load[l];
        for (int i = 0; i < ends(at); ++i)
            for (int j = 0; j < ends(at); ++j) {
                const int one = at.body[i], two = at.body[j];
                if (one >= b_.free() || two >= b_.free()) continue;
                const int first = plan_.body[one], second = plan_.body[two];
                for (int r = 0; r < n; ++r)
                    for (int s = 0; s < n; ++s)
                        if (first + r >= second + s)
                            add(to, first + r, second + s,
                                T(c * symmetric(C_, l, n * i + r, n * j + s)) +
                                    k * T(symmetric(K_, l, n * i + r, n * j + s)));
            }
    }
    // Adds the penalty p J'J of one row.
    template <class T>
    void add_penalty(StaticLdl<T>& to, int e, const T& p) const {
        for (int i = 0; i < max_bodies; ++i)
            for (int j = 0; j < max_bodies; ++j) {
                const int one = plan_.end[max_bodies * e + i], two = plan_.end[max_bodies * e + j];
                if (one < 0 || two < 0) continue;
                const double *a = J.data() + (static_cast<size_t>(max_bodies) * e + i) * n,
                             *b = J.data() + (static_cast<size_t>(max_bodies) * e + j) * n;
                for (int r = 0; r < n; ++r)
                    for (int s = 0; s < n; ++s)
                        if (plan_.body[one] + r >= plan_.body[two] + s)
                            add(to, plan_.body[one] + r, plan_.body[two] + s, p * T(a[r] * b[s]));
            }
    }
};

}  // namespace mubo
