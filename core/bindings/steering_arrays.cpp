#include "steering_arrays.hpp"

namespace mubo {
namespace {

Sensor sensor(Sensors& reads, const SensorRange& range, const SensorArrays& given) {
    const auto& [sense, order, body, winding, scale, numbers] = given;
    require(sense >= 0 && sense < senses, "unknown sense");
    require(static_cast<int>(body.size()) == sense_bodies[sense] && order >= 0 && order <= 1, "wrong ends of a sensor");
    require(static_cast<int>(numbers.size()) == sense_numbers[sense], "wrong numbers of a sensor");
    const auto kind = static_cast<Sense>(sense);
    require((winding >= 0) == sense_winds(kind), "only turns have a count");
    Sensor out{kind, order, {-1, -1, -1, -1}, winding, static_cast<int>(reads.parameter.size()), scale};
    std::copy(body.begin(), body.end(), out.body);
    if (kind == Sense::law)
        require(body[0] >= 0 && body[0] < range.laws, "law number out of range");
    else if (kind == Sense::coordinate)
        require(body[0] >= 0 && body[0] < range.positions && body[1] >= 0 && body[1] < range.velocities,
                "coordinate number out of range");
    else
        for (int k : body) require(k >= -1 && k < range.bodies, "body number of a sensor out of range");
    reads.parameter.insert(reads.parameter.end(), numbers.begin(), numbers.end());
    return out;
}

Program program(size_t sensors, const Code& code, const std::vector<double>& points) {
    Program out;
    out.points = points;
    int depth = 0;
    for (const auto& [operation, at, number] : code) {
        require(operation >= 0 && operation < operations, "unknown operation");
        const auto o = static_cast<Operation>(operation);
        if (o == Operation::sensor) require(at >= 0 && at < static_cast<int>(sensors), "sensor number out of range");
        if (o == Operation::curve)
            require(at >= 0 && number >= 2 && 2 * (at + number) <= static_cast<double>(points.size()),
                    "a curve needs two points or more");
        depth -= operands(o);
        require(depth >= 0, "a program takes more than it has");
        out.depth = std::max(out.depth, ++depth);
        out.code.push_back({o, at, number});
    }
    require(depth == 1, "a program must leave one number");
    return out;
}

Program program(size_t sensors, const ProgramArrays& given) {
    const auto& [code, points, function, inputs] = given;
    if (!function) return program(sensors, code, points);
    Program out;
    for (const auto& [inner, its_points] : inputs) out.inputs.push_back(program(sensors, inner, its_points));
    out.function = [call = *function](double t, const double* values, size_t count) {
        nb::gil_scoped_acquire lock;
        return nb::cast<double>(call(t, array({values, values + count}, {count})));
    };
    return out;
}

// The sensors that programs read.
std::vector<int> sensors_of(const Steering& s, size_t first, size_t last) {
    std::vector<int> out;
    const auto add = [&](const Program& p) {
        for (const Instruction& i : p.code)
            if (i.operation == Operation::sensor) out.push_back(i.at);
    };
    for (size_t k = first; k < last; ++k) {
        add(s.program[k]);
        for (const Program& inner : s.program[k].inputs) add(inner);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

void fill_steering(Steering& s, const SensorRange& range, const std::vector<SensorArrays>& sensors,
                   const std::vector<int>& windings, const std::vector<ProgramArrays>& programs, int sizes) {
    for (const SensorArrays& one : sensors) s.reads.sensor.push_back(sensor(s.reads, range, one));
    for (int k : windings)
        require(k >= 0 && k < static_cast<int>(sensors.size()) && sense_winds(s.reads.sensor[k].sense),
                "only turns are counted");
    s.winding = windings;
    for (const Sensor& one : s.reads.sensor) require(one.winding < s.windings(), "a count of turns is not there");
    for (const ProgramArrays& one : programs) s.program.push_back(program(sensors.size(), one));
    require(sizes >= 0 && sizes <= static_cast<int>(programs.size()), "more sizes than programs");
    s.sizes = sizes;
    s.steering = sensors_of(s, 0, sizes), s.watching = sensors_of(s, sizes, s.program.size());
}

}  // namespace mubo
