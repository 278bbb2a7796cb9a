// The arrays of a compiled model in absolute coordinates, in the plane or in space. Bodies 0 .. free-1 move; body b
// owns the unknowns from width * b on: (x, y, phi), or (r, p). The bodies after them are fixed. Evaluation never
// changes a system; a variant is a new one.
#pragma once
#include <vector>

#include "number/plane.hpp"
#include "number/profile.hpp"
#include "number/space_pose.hpp"
#include "rows/each.hpp"
#include "rows/plane/list.hpp"
#include "rows/space/list.hpp"

namespace mubo {

struct Instance {
    int body[max_bodies];  // -1 where the row uses fewer bodies
    int row;               // its first equation
    int parameter;         // its first entry in parameter
    int driver;            // column of the motion arrays, -1 for none
    int profile;           // of a cam or curve, -1 for none
    int number;            // its index in the arrays of the caller
};

template <template <class> class PoseOf, class RowList>
struct SystemOf {
    using Rows = RowList;
    using Pose = PoseOf<double>;
    template <class T>
    using PoseWith = PoseOf<T>;  // over another number type
    using Rate = typename Pose::Rate;
    static constexpr int width = Pose::width, dofs = Pose::dofs, kinds = std::tuple_size_v<Rows>;

    int free_bodies = 0, equations = 0;
    std::vector<Pose> fixed;
    std::vector<Instance> instance;  // sorted by kind
    int first_of_kind[kinds + 1] = {};
    std::vector<double> parameter;
    std::vector<Profile> profile;

    const Profile* profile_of(const Instance& at) const { return at.profile < 0 ? nullptr : &profile[at.profile]; }
    int unknowns() const { return width * free_bodies; }
    int bodies() const { return free_bodies + static_cast<int>(fixed.size()); }

    // visit(Row{}, instance) for every instance, one tight loop per kind.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for_each_row<Rows>([&](int kind, auto row) {
            for (int k = first_of_kind[kind]; k < first_of_kind[kind + 1]; ++k) visit(row, instance[k]);
        });
    }

    // Poses of the moving bodies at the unknowns q; `pose` has bodies() entries.
    void place(const double* q, Pose* pose) const {
        for (int b = 0; b < free_bodies; ++b) pose[b] = Pose::from(q + width * b);
    }
    std::vector<Pose> poses() const {
        std::vector<Pose> pose(free_bodies);
        pose.insert(pose.end(), fixed.begin(), fixed.end());
        return pose;
    }
};

using PlaneSystem = SystemOf<Pose, PlaneRows>;
using SpaceSystem = SystemOf<Pose3, SpaceRows>;

template <class Row, class Pose>
void gather(const Instance& at, const Pose* pose, Pose* b) {
    for (int k = 0; k < Row::bodies; ++k) b[k] = pose[at.body[k]];
}
// Rates of a row's bodies from a vector over the unknowns; those of fixed bodies are zero.
template <class Row, class System>
void gather(const System& s, const Instance& at, const double* v, typename System::Rate* rate) {
    for (int k = 0; k < Row::bodies; ++k) {
        const int b = at.body[k];
        rate[k] = b < s.free_bodies ? System::Rate::from(v + System::width * b) : typename System::Rate{};
    }
}

}  // namespace mubo
