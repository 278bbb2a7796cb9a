// Arrays that are passed between numpy and the core.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

namespace nb = nanobind;

namespace mubo {

template <class T>
using In1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using In3 = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<nb::numpy, double>;

// A new array that numpy owns.
inline Out array(std::vector<double>&& values, std::initializer_list<size_t> shape) {
    auto* owned = new std::vector<double>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Out(owned->data(), shape, owner);
}

// An array that is filled before it is read; a debug build fills it with NaN to prove that.
class Room {
  public:
    explicit Room(size_t size) : values_(new double[size]) {
#ifndef NDEBUG
        std::fill_n(values_.get(), size, std::numeric_limits<double>::quiet_NaN());
#endif
    }
    double* data() { return values_.get(); }
    Out array(std::initializer_list<size_t> shape) {
        double* owned = values_.release();
        return Out(owned, shape, nb::capsule(owned, [](void* p) noexcept { delete[] static_cast<double*>(p); }));
    }

  private:
    std::unique_ptr<double[]> values_;
};

inline void require(bool fits, const char* what) {
    if (!fits) throw std::invalid_argument(what);
}

}  // namespace mubo
