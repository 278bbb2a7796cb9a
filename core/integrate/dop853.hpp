// One step of the Dormand-Prince method of order 8(5,3), its error and its dense output (see dop853_table.hpp).
//
// A Problem has size(), rates(t, y, dy) -> Fault, counted(i): whether entry i takes part in error control, and
// owner(i): the number that a fault in entry i reports.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "../status.hpp"
#include "dop853_table.hpp"

namespace mubo {

// The dense output of a step from t of length h.
struct DenseStep {
    double t = 0, h = 0;
    std::vector<double> y, F;  // the state at its start, and the further terms

    // Entry i at the fraction x of the step.
    double at(int i, double x) const {
        double value = 0;
        for (int k = dop853::dense_terms - 1; k >= 0; --k)
            value = (value + F[k * y.size() + i]) * (k % 2 == 0 ? x : 1 - x);
        return y[i] + value;
    }
    void state(double x, double* out) const {
        for (size_t i = 0; i < y.size(); ++i) out[i] = at(static_cast<int>(i), x);
    }
};

template <class Problem>
class Dop853 {
  public:
    DenseStep dense;              // of the step that was prepared last
    std::vector<double> y, next;  // at the start and the end of the step
    double error = 0;
    int component = -1;
    long evaluations = 0;

    Dop853(Problem& problem, double rtol, std::vector<double> atol)
        : y(problem.size()),
          next(problem.size()),
          problem_(problem),
          n_(problem.size()),
          rtol_(rtol),
          atol_(std::move(atol)),
          K_(static_cast<size_t>(dop853::dense_stages) * n_),
          stage_(n_) {
        for (int i = 0; i < n_; ++i) counted_ += problem.counted(i);
        dense.F.resize(static_cast<size_t>(dop853::dense_terms) * n_);
    }

    // Derivative at the start of the step (stage 0) and at its end (stage 12).
    double* first() { return stage(0); }
    double* last() { return stage(dop853::stages); }

    Fault start(double t) {
        ++evaluations;
        return problem_.rates(t, y.data(), first());
    }

    // From y at t towards `next` at t + h. Without a fault, `error` <= 1 means accepted, and `component` is the entry
    // with the largest error.
    Fault attempt(double t, double h) {
        for (int s = 1; s <= dop853::stages; ++s) {
            double* to = s == dop853::stages ? next.data() : stage_.data();
            const Fault fault = combine(s, h, to);
            if (fault.status != done) return fault;
            if (s == dop853::stages) break;
            ++evaluations;
            const Fault found = problem_.rates(t + dop853::C[s] * h, to, stage(s));
            if (found.status != done) return found;
        }
        measure(h);
        if (!std::isfinite(error)) return {not_finite, problem_.owner(component)};
        return error > 1 ? Fault{} : arrive(t + h);
    }

    // The derivative at the end of the step.
    Fault arrive(double t) {
        ++evaluations;
        return problem_.rates(t, next.data(), last());
    }

    // An estimate of the fastest rate (largest eigenvalue) in the step just made, from its two derivatives at the end
    // (Hairer and Wanner 1996, IV.2); to be called before dense output is prepared.
    double fastest() const {
        double rates = 0, distance = 0;
        for (int i = 0; i < n_; ++i) {
            if (!problem_.counted(i)) continue;
            const double k = stage(dop853::stages)[i] - stage(dop853::stages - 1)[i], y = next[i] - stage_[i];
            rates += k * k, distance += y * y;
        }
        return distance > 0 ? std::sqrt(rates / distance) : 0;
    }

    // Dense output of the step just made: three more derivatives, then `dense`.
    Fault prepare_dense(double t, double h) {
        for (int s = dop853::stages + 1; s < dop853::dense_stages; ++s) {
            Fault fault = combine(s, h, stage_.data());
            ++evaluations;
            if (fault.status == done) fault = problem_.rates(t + dop853::C[s] * h, stage_.data(), stage(s));
            if (fault.status != done) return fault;
        }
        dense.t = t, dense.h = h, dense.y = y;
        std::vector<double>& F = dense.F;
        for (int i = 0; i < n_; ++i) {
            const double change = next[i] - y[i];
            F[i] = change;
            F[n_ + i] = h * first()[i] - change;
            F[2 * n_ + i] = 2 * change - h * (last()[i] + first()[i]);
        }
        for (int k = 3; k < dop853::dense_terms; ++k) {
            double* out = F.data() + static_cast<size_t>(k) * n_;
            std::fill(out, out + n_, 0.0);
            for (int s = 0; s < dop853::dense_stages; ++s)
                if (const double d = h * dop853::D[k - 3][s]; d != 0)
                    for (int i = 0; i < n_; ++i) out[i] += d * stage(s)[i];
        }
        return {};
    }

    // A first step size (Hairer, Norsett and Wanner 1993, section II.4, algorithm for a starting step size).
    Fault first_step(double t, double longest, double* h) {
        const double d0 = norm(y.data(), nullptr), d1 = norm(first(), nullptr);
        const double guess = std::fmin(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, longest);
        for (int i = 0; i < n_; ++i) stage_[i] = y[i] + guess * first()[i];
        ++evaluations;
        const Fault fault = problem_.rates(t + guess, stage_.data(), stage(1));
        if (fault.status != done) return fault;
        const double d2 = norm(stage(1), first()) / guess, steepest = std::fmax(d1, d2);
        const double second = steepest <= 1e-15 ? std::fmax(1e-6, guess * 1e-3) : std::pow(0.01 / steepest, 1.0 / 8);
        *h = std::fmin(std::fmin(100 * guess, second), longest);
        return {};
    }

  private:
    Problem& problem_;
    const int n_;
    const double rtol_;
    const std::vector<double> atol_;
    std::vector<double> K_, stage_;
    int counted_ = 0;

    double* stage(int s) { return K_.data() + static_cast<size_t>(s) * n_; }
    const double* stage(int s) const { return K_.data() + static_cast<size_t>(s) * n_; }

    // y + h sum A[s][j] K_j; reports an entry that is not finite.
    Fault combine(int s, double h, double* out) {
        std::copy(y.begin(), y.end(), out);
        for (int j = 0; j < s; ++j)
            if (const double a = h * dop853::A[s][j]; a != 0)
                for (int i = 0; i < n_; ++i) out[i] += a * stage(j)[i];
        for (int i = 0; i < n_; ++i)
            if (!std::isfinite(out[i])) return {not_finite, problem_.owner(i)};
        return {};
    }

    void measure(double h) {
        double sum5 = 0, sum3 = 0, most = -1;
        for (int i = 0; i < n_; ++i) {
            if (!problem_.counted(i)) continue;
            double e5 = 0, e3 = 0;
            for (int s = 0; s < dop853::stages; ++s) {
                e5 += dop853::E5[s] * stage(s)[i];
                e3 += dop853::E3[s] * stage(s)[i];
            }
            const double scale = atol_[i] + rtol_ * std::fmax(std::fabs(y[i]), std::fabs(next[i]));
            e5 /= scale, e3 /= scale;
            sum5 += e5 * e5, sum3 += e3 * e3;
            if (problem_.owner(i) >= 0 && !(e5 * e5 <= most)) most = e5 * e5, component = i;
        }
        const double both = sum5 + 0.01 * sum3;
        error = both == 0 ? 0 : std::fabs(h) * sum5 / std::sqrt(both * counted_);
    }

    // Root mean square of x (minus z) in units of the tolerance.
    double norm(const double* x, const double* z) const {
        double sum = 0;
        for (int i = 0; i < n_; ++i) {
            if (!problem_.counted(i)) continue;
            const double one = (x[i] - (z ? z[i] : 0)) / (atol_[i] + rtol_ * std::fabs(y[i]));
            sum += one * one;
        }
        return std::sqrt(sum / std::max(counted_, 1));
    }
};

}  // namespace mubo
