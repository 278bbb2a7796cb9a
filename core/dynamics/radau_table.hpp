// Coefficients of the Radau IIA method with three stages and order 5: Hairer and Wanner, Solving Ordinary Differential
// Equations II (1996), sections IV.5 and IV.8. W = A^-1 has the eigenvalues gamma and alpha -+ i beta; T^-1 W T is
// block-diagonal. A test makes A and W from the abscissae, and compares T with scipy.integrate.Radau.
#pragma once
#include <cmath>

namespace mubo::radau {

constexpr int stages = 3;
constexpr double root6 = 2.449489742783178098197;
constexpr double C[stages] = {(4 - root6) / 10, (4 + root6) / 10, 1};
constexpr double A[stages][stages] = {
    {(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
    {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
    {(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9},
};
constexpr double W[stages][stages] = {
    {3.224744871391589049099, 1.167840084690405494924, -0.2531972647421808261859},
    {-3.567840084690405494924, 0.7752551286084109509014, 1.053197264742180826186},
    {5.531972647421808261859, -7.531972647421808261859, 5},
};
constexpr double gamma = 3.6378342527444957322, alpha = 2.6810828736277521339, beta = 3.0504301992474105694;
// The error is that of an embedded method of order 3, multiplied by h / gamma.
constexpr double D[stages] = {(-13 - 7 * root6) / 3, (-13 + 7 * root6) / 3, -1.0 / 3};
constexpr double T[stages][stages] = {
    {9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0},
};
constexpr double inverse_T[stages][stages] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497},
};

}  // namespace mubo::radau
