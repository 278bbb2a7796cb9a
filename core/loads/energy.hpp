// The energy that a load stores and the powers that it dissipates and supplies.
#pragma once

namespace mubo {

struct LoadEnergy {
    double potential = 0;   // stored energy
    double dissipated = 0;  // power turned into heat
    double supplied = 0;    // power supplied to the mechanism
};

}  // namespace mubo
