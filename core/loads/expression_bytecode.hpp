// The size of a load as an expression of the motion: bytecode for a stack machine, evaluated without allocation.
//
// Over dual numbers it gives the value and the rate; the operation `rate` turns the rate of a subexpression into a
// value. Names of operations are the functions of expressions in model files.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "../number/dual.hpp"

namespace mubo {

enum class Operation {
    number,
    sensor,
    rate,
    add,
    subtract,
    times,
    divide,
    power,
    negate,
    sin,
    cos,
    tan,
    atan,
    exp,
    log,
    sqrt,
    abs,
    min,
    max,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    curve,
};
constexpr const char* operation_name[] = {
    "number", "sensor", "rate",       "add",     "subtract",      "times", "divide",    "power", "negate",
    "sin",    "cos",    "tan",        "atan",    "exp",           "log",   "sqrt",      "abs",   "min",
    "max",    "less",   "less_equal", "greater", "greater_equal", "equal", "not_equal", "curve"};
constexpr int operations = static_cast<int>(Operation::curve) + 1;
static_assert(sizeof(operation_name) / sizeof(*operation_name) == operations);

// The number of operands of an operation; comparisons have (a, b, value if true, value if false).
constexpr int operands(Operation o) {
    if (o == Operation::number || o == Operation::sensor) return 0;
    if (o >= Operation::less && o <= Operation::not_equal) return 4;
    const bool two = (o >= Operation::add && o <= Operation::power) || o == Operation::min || o == Operation::max;
    return two ? 2 : 1;
}

struct Instruction {
    Operation operation;
    int at;         // sensor, or first point of a curve
    double number;  // or how many points a curve has
};

struct Bytecode {
    std::vector<Instruction> code;
    std::vector<double> points;  // of its curves: x, y one after the other, x ascending
    int depth = 0;               // of the stack
    // A function of the user instead of code: of t and the values of these inputs.
    std::function<double(double t, const double* values, size_t count)> function;
    std::vector<Bytecode> inputs;
};

constexpr double curve_slack = 1e-9;  // relative to a curve's width: how far beyond its ends it still has a value

// Linear interpolation between points; NaN beyond them.
inline Dual<1> interpolate_curve(const double* points, int count, const Dual<1>& x) {
    const double first = points[0], last = points[2 * (count - 1)], slack = curve_slack * (last - first);
    if (!(x.v >= first - slack && x.v <= last + slack)) return Dual<1>(std::numeric_limits<double>::quiet_NaN());
    int low = 0, high = count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (points[2 * middle] <= x.v ? low : high) = middle;
    }
    const double *a = points + 2 * low, *b = points + 2 * high, slope = (b[1] - a[1]) / (b[0] - a[0]);
    const double at = std::fmin(std::fmax(x.v, first), last);
    return x.chain(a[1] + slope * (at - a[0]), slope);
}

inline Dual<1> power(const Dual<1>& x, const Dual<1>& n) {
    Dual<1> y(std::pow(x.v, n.v));
    if (n.v != 0 && x.d[0] != 0) y.d[0] = n.v * std::pow(x.v, n.v - 1) * x.d[0];
    if (n.d[0] != 0) y.d[0] += y.v * std::log(x.v) * n.d[0];
    return y;
}

inline Dual<1> apply_operation(Operation o, const Dual<1>& x) {
    switch (o) {
        case Operation::rate:
            return Dual<1>(x.d[0]);
        case Operation::negate:
            return -x;
        case Operation::sin:
            return sin(x);
        case Operation::cos:
            return cos(x);
        case Operation::tan: {
            const double t = std::tan(x.v);
            return x.chain(t, 1 + t * t);
        }
        case Operation::atan:
            return x.chain(std::atan(x.v), 1 / (1 + x.v * x.v));
        case Operation::exp:
            return x.chain(std::exp(x.v), std::exp(x.v));
        case Operation::log:
            return x.chain(std::log(x.v), 1 / x.v);
        case Operation::sqrt:
            return sqrt(x);
        default:  // abs
            return x.v >= 0 ? x : -x;
    }
}

inline Dual<1> apply_operation(Operation o, const Dual<1>& a, const Dual<1>& b) {
    switch (o) {
        case Operation::add:
            return a + b;
        case Operation::subtract:
            return a - b;
        case Operation::times:
            return a * b;
        case Operation::divide:
            return a / b;
        case Operation::power:
            return power(a, b);
        case Operation::min:
            return a.v <= b.v ? a : b;
        default:  // max
            return a.v >= b.v ? a : b;
    }
}

inline bool compare(Operation o, double a, double b) {
    switch (o) {
        case Operation::less:
            return a < b;
        case Operation::less_equal:
            return a <= b;
        case Operation::greater:
            return a > b;
        case Operation::greater_equal:
            return a >= b;
        case Operation::equal:
            return a == b;
        default:
            return a != b;
    }
}

// The value of the bytecode; `sensors` are the readings of the motion, `stack` has as many entries as its depth.
inline Dual<1> evaluate(const Bytecode& bytecode, const Dual<1>* sensors, Dual<1>* stack) {
    Dual<1>* top = stack;  // the next free entry
    for (const Instruction& i : bytecode.code) {
        const int count = operands(i.operation);
        top -= count;
        if (i.operation == Operation::number)
            *top = Dual<1>(i.number);
        else if (i.operation == Operation::sensor)
            *top = sensors[i.at];
        else if (i.operation == Operation::curve)
            *top = interpolate_curve(bytecode.points.data() + 2 * i.at, static_cast<int>(i.number), *top);
        else if (count == 1)
            *top = apply_operation(i.operation, *top);
        else if (count == 2)
            *top = apply_operation(i.operation, top[0], top[1]);
        else
            *top = compare(i.operation, top[0].v, top[1].v) ? top[2] : top[3];
        ++top;
    }
    return stack[0];
}

// The value of the bytecode, or of the user's function, whose arguments are computed in `values`.
inline double evaluate_or_call(const Bytecode& bytecode, double t, const Dual<1>* sensors, Dual<1>* stack,
                               double* values) {
    if (!bytecode.function) return evaluate(bytecode, sensors, stack).v;
    for (size_t k = 0; k < bytecode.inputs.size(); ++k) values[k] = evaluate(bytecode.inputs[k], sensors, stack).v;
    return bytecode.function(t, values, bytecode.inputs.size());
}

}  // namespace mubo
