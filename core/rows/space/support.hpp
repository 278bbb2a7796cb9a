// The lowest point of a round body over a plane with the unit normal n: of an ellipsoid with the semi-axes a_1, a_2,
// a_3 (vectors; one of them is zero for a thin disc, all are equal for a sphere), thickened by a tube of the radius c:
//   h = sqrt(sum (n.a_k)^2),  arm = -sum (n.a_k) a_k / h - c n,  height of the centre over that point h + c.
// h is the support function of the ellipsoid. A thin disc that lies flat has h = 0 and no lowest point.
#pragma once
#include <cmath>

#include "../../number/space.hpp"

namespace mubo::space {

template <class T>
struct Support {
    T height;
    Vector3<T> arm;

    // `p`: a_1, a_2, a_3 in body axes, c.
    template <class Pose>
    Support(const Pose& body, const Vector3<T>& n, const T* p) {
        using std::sqrt;
        const Vector3<T> a[3] = {body.rotate(p), body.rotate(p + 3), body.rotate(p + 6)};
        const T along[3] = {dot(n, a[0]), dot(n, a[1]), dot(n, a[2])};
        const T h = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
        height = h + p[9];
        arm = -(p[9] * n);
        for (int k = 0; k < 3; ++k) arm -= (along[k] / h) * a[k];
    }
};

}  // namespace mubo::space
