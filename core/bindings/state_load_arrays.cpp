#include "state_load_arrays.hpp"

namespace mubo {
namespace {

Sensor sensor(SensorSet& sensors, const SensorRange& range, const SensorArrays& given) {
    const auto& [kind, order, body, winding, scale, numbers] = given;
    require(kind >= 0 && kind < sensor_kinds, "unknown kind of sensor");
    require(static_cast<int>(body.size()) == sensor_kind_bodies[kind] && order >= 0 && order <= 1,
            "wrong ends of a sensor");
    require(static_cast<int>(numbers.size()) == sensor_kind_numbers[kind], "wrong numbers of a sensor");
    const auto sensor_kind = static_cast<SensorKind>(kind);
    require((winding >= 0) == counts_turns(sensor_kind), "only angles have a count of turns");
    Sensor out{sensor_kind, order, {-1, -1, -1, -1}, winding, static_cast<int>(sensors.parameter.size()), scale};
    std::copy(body.begin(), body.end(), out.body);
    if (sensor_kind == SensorKind::law)
        require(body[0] >= 0 && body[0] < range.laws, "law number out of range");
    else if (sensor_kind == SensorKind::coordinate)
        require(body[0] >= 0 && body[0] < range.positions && body[1] >= 0 && body[1] < range.velocities,
                "coordinate number out of range");
    else
        for (int k : body) require(k >= -1 && k < range.bodies, "body number of a sensor out of range");
    sensors.parameter.insert(sensors.parameter.end(), numbers.begin(), numbers.end());
    return out;
}

Bytecode bytecode(size_t sensors, const Code& code, const std::vector<double>& points) {
    Bytecode out;
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
        require(depth >= 0, "bytecode takes more operands than the stack has");
        out.depth = std::max(out.depth, ++depth);
        out.code.push_back({o, at, number});
    }
    require(depth == 1, "bytecode must leave one number on the stack");
    return out;
}

Bytecode bytecode(size_t sensors, const BytecodeArrays& given) {
    const auto& [code, points, function, inputs] = given;
    if (!function) return bytecode(sensors, code, points);
    Bytecode out;
    for (const auto& [inner, its_points] : inputs) out.inputs.push_back(bytecode(sensors, inner, its_points));
    out.function = [call = *function](double t, const double* values, size_t count) {
        nb::gil_scoped_acquire lock;
        return nb::cast<double>(call(t, array({values, values + count}, {count})));
    };
    return out;
}

// The sensors that bytecodes read.
std::vector<int> sensors_of(const StateDependentLoads& s, size_t first, size_t last) {
    std::vector<int> out;
    const auto add = [&](const Bytecode& p) {
        for (const Instruction& i : p.code)
            if (i.operation == Operation::sensor) out.push_back(i.at);
    };
    for (size_t k = first; k < last; ++k) {
        add(s.bytecode[k]);
        for (const Bytecode& inner : s.bytecode[k].inputs) add(inner);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

void fill_state_dependent_loads(StateDependentLoads& s, const SensorRange& range,
                                const std::vector<SensorArrays>& sensors, const std::vector<int>& windings,
                                const std::vector<BytecodeArrays>& programs, int sizes) {
    for (const SensorArrays& one : sensors) s.sensors.sensor.push_back(sensor(s.sensors, range, one));
    for (int k : windings)
        require(k >= 0 && k < static_cast<int>(sensors.size()) && counts_turns(s.sensors.sensor[k].kind),
                "only angles have a count of turns");
    s.winding = windings;
    for (const Sensor& one : s.sensors.sensor) require(one.winding < s.windings(), "a count of turns does not exist");
    for (const BytecodeArrays& one : programs) s.bytecode.push_back(bytecode(sensors.size(), one));
    require(sizes >= 0 && sizes <= static_cast<int>(programs.size()), "more sizes than bytecodes");
    s.sizes = sizes;
    s.load_sensors = sensors_of(s, 0, sizes), s.event_sensors = sensors_of(s, sizes, s.bytecode.size());
}

}  // namespace mubo
