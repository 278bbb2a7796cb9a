// Vector loops (O'Kins 1964): the unknowns are angles and slides, the equations are closed polygons.
//
// A term is a vector  scale * R(theta) d,  where theta is one of the unknown angles (or 0) and scale is 1, an unknown
// slide or a motion law f(t). A loop closes where its terms sum to zero: two equations. Linear equations join
// angles and slides (drivers, gears). Unknowns are numbered angles first, then slides.
#pragma once
#include <vector>

namespace mubo {

struct Term {
    int angle;    // unknown angle that turns it, -1: it keeps its direction
    int slide;    // unknown that scales it, -1: none
    int driver;   // motion law that scales it, -1: none
    double x, y;  // the vector where its angle is zero, sign included
};

struct Linear {
    std::vector<int> unknown;
    std::vector<double> factor;
    double constant;
    int driver;  // sum of factor * unknown - constant - f(t) = 0
};

// Equations that must be solved together, and the unknowns they give.
struct Block {
    std::vector<int> rows, unknowns;
};

// A body: its angle is an unknown angle (or 0) plus an offset; its origin is its parent's origin plus terms.
struct LoopBody {
    int parent, angle;
    double offset, x, y;  // x, y: the origin where the parent is none
    std::vector<Term> terms;
};

struct LoopSystem {
    int angles = 0, slides = 0;
    std::vector<std::vector<Term>> loop;
    std::vector<Linear> linear;
    std::vector<Block> block;
    std::vector<LoopBody> body;
    std::vector<int> order;  // of the bodies: each after its parent

    // Every dimension in one fixed order: vectors of loops, linear equations, places of bodies.
    template <class Visit>
    void each_number(const Visit& visit) {
        const auto vectors = [&](std::vector<Term>& terms) {
            for (Term& t : terms) visit(t.x), visit(t.y);
        };
        for (auto& terms : loop) vectors(terms);
        for (Linear& line : linear) {
            for (double& factor : line.factor) visit(factor);
            visit(line.constant);
        }
        for (LoopBody& b : body) {
            visit(b.offset), visit(b.x), visit(b.y);
            vectors(b.terms);
        }
    }

    int unknowns() const { return angles + slides; }
    int equations() const { return 2 * static_cast<int>(loop.size()) + static_cast<int>(linear.size()); }
};

}  // namespace mubo
