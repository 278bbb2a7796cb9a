// What a load stores, destroys and brings in.
#pragma once

namespace mubo {

struct LoadEnergy {
    double potential = 0;   // stored energy
    double dissipated = 0;  // power turned into heat
    double supplied = 0;    // power brought in from outside
};

}  // namespace mubo
