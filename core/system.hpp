// The arrays of a compiled planar model. Bodies 0 .. free-1 move and own the unknowns 3b, 3b+1, 3b+2; the
// bodies after them stand still. Evaluation never changes a System; a variant is a new one.
#pragma once
#include <vector>

#include "number/plane.hpp"
#include "number/profile.hpp"
#include "rows/planar/list.hpp"

namespace mubo {

struct Instance {
    int body[most_bodies];  // -1 where the row uses fewer bodies
    int row;                // its first equation
    int parameter;          // its first entry in System::parameter
    int driver;             // column of the motion arrays, -1 for none
    int profile;            // of a cam, -1 for none
};

struct System {
    int free_bodies = 0, equations = 0;
    std::vector<Pose<double>> fixed;
    std::vector<Instance> instance;  // sorted by kind
    int first_of_kind[planar_kinds + 1] = {};
    std::vector<double> parameter;
    std::vector<Profile> profile;

    const Profile* profile_of(const Instance& at) const { return at.profile < 0 ? nullptr : &profile[at.profile]; }
    int unknowns() const { return 3 * free_bodies; }
    int bodies() const { return free_bodies + static_cast<int>(fixed.size()); }

    // visit(Row{}, instance) for every instance, one tight loop per kind.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for_each_planar_row([&](int kind, auto row) {
            for (int k = first_of_kind[kind]; k < first_of_kind[kind + 1]; ++k) visit(row, instance[k]);
        });
    }

    // Poses of all bodies at the unknowns q; `pose` has room for bodies().
    void place(const double* q, Pose<double>* pose) const {
        for (int b = 0; b < free_bodies; ++b) pose[b] = Pose<double>(q[3 * b], q[3 * b + 1], q[3 * b + 2]);
    }
    std::vector<Pose<double>> poses() const {
        std::vector<Pose<double>> pose(free_bodies);
        pose.insert(pose.end(), fixed.begin(), fixed.end());
        return pose;
    }
};

template <class Row>
void gather(const Instance& at, const Pose<double>* pose, Pose<double>* b) {
    for (int k = 0; k < Row::bodies; ++k) b[k] = pose[at.body[k]];
}
// Rates of a row's bodies out of a vector over the unknowns; bodies at rest have none.
template <class Row>
void gather(const System& s, const Instance& at, const double* v, Rate* rate) {
    for (int k = 0; k < Row::bodies; ++k) {
        const int b = at.body[k];
        rate[k] = b < s.free_bodies ? Rate{v[3 * b], v[3 * b + 1], v[3 * b + 2]} : Rate{0, 0, 0};
    }
}

}  // namespace mubo
