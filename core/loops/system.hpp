// Vector loops (O'Kins 1964): the unknowns are angles and slides, the equations are closed polygons.
//
// A term is a vector  scale * R(theta) d,  where theta is one of the unknown angles (or 0) and scale is 1, an unknown
// slide or a motion law f(t). A loop closes where its terms sum to zero: two equations. Linear equations join
// angles and slides (drivers, gears). Unknowns are numbered angles first, then slides.
#pragma once
#include <vector>

namespace mubo {

template <class T>
struct Term {
    int angle;   // unknown angle that rotates it, -1: fixed direction
    int slide;   // unknown that scales it, -1: none
    int driver;  // motion law that scales it, -1: none
    T x, y;      // the vector where its angle is zero, sign included
};

template <class T>
struct Linear {
    std::vector<int> unknown;
    std::vector<T> factor;
    T constant;
    int driver;  // sum of factor * unknown - constant - f(t) = 0
};

// Equations that must be solved together, and the unknowns they give.
struct Block {
    std::vector<int> rows, unknowns;
};

// A body: its angle is an unknown angle (or 0) plus an offset; its origin is its parent's origin plus terms.
template <class T>
struct LoopBody {
    int parent, angle;
    T offset, x, y;  // x, y: the origin where the parent is none
    std::vector<Term<T>> terms;
};

// Dimensions are of any number type: one mechanism, or several that differ in them only.
template <class T>
struct Loops {
    int angles = 0, slides = 0;
    std::vector<std::vector<Term<T>>> loop;
    std::vector<Linear<T>> linear;
    std::vector<Block> block;
    std::vector<LoopBody<T>> body;
    std::vector<int> order;  // order of the bodies: each after its parent

    Loops() = default;
    // The same dimensions in every lane.
    Loops(const Loops<double>& s) : angles(s.angles), slides(s.slides), block(s.block), order(s.order) {
        for (const auto& terms : s.loop) loop.push_back(broadcast(terms));
        for (const auto& line : s.linear) {
            linear.push_back({line.unknown, {}, T(line.constant), line.driver});
            for (const double factor : line.factor) linear.back().factor.push_back(T(factor));
        }
        for (const auto& b : s.body)
            body.push_back({b.parent, b.angle, T(b.offset), T(b.x), T(b.y), broadcast(b.terms)});
    }

    // Visits every dimension in one fixed order: vectors of loops, linear equations, places of bodies.
    template <class Visit>
    void for_each_dimension(const Visit& visit) {
        const auto vectors = [&](std::vector<Term<T>>& terms) {
            for (Term<T>& t : terms) visit(t.x), visit(t.y);
        };
        for (auto& terms : loop) vectors(terms);
        for (Linear<T>& line : linear) {
            for (T& factor : line.factor) visit(factor);
            visit(line.constant);
        }
        for (LoopBody<T>& b : body) {
            visit(b.offset), visit(b.x), visit(b.y);
            vectors(b.terms);
        }
    }

    int unknowns() const { return angles + slides; }
    int equations() const { return 2 * static_cast<int>(loop.size()) + static_cast<int>(linear.size()); }

  private:
    static std::vector<Term<T>> broadcast(const std::vector<Term<double>>& terms) {
        std::vector<Term<T>> out;
        for (const auto& t : terms) out.push_back({t.angle, t.slide, t.driver, T(t.x), T(t.y)});
        return out;
    }
};
using LoopSystem = Loops<double>;

}  // namespace mubo
