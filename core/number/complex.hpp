// Complex numbers in plain arithmetic: std::complex guards every product against infinities, at several times the cost.
#pragma once
#include <cmath>

namespace mubo {

struct Complex {
    double re = 0, im = 0;

    Complex() = default;
    Complex(double real, double imaginary = 0) : re(real), im(imaginary) {}
    Complex& operator+=(const Complex& a) { return re += a.re, im += a.im, *this; }
    Complex& operator-=(const Complex& a) { return re -= a.re, im -= a.im, *this; }
    Complex& operator*=(const Complex& a) { return *this = {re * a.re - im * a.im, re * a.im + im * a.re}; }
};
inline Complex operator+(Complex a, const Complex& b) {
    return a += b;
}
inline Complex operator-(Complex a, const Complex& b) {
    return a -= b;
}
inline Complex operator*(Complex a, const Complex& b) {
    return a *= b;
}
inline Complex operator/(const Complex& a, const Complex& b) {
    const double square = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}
inline double size_of(const Complex& a) {
    return std::fabs(a.re) + std::fabs(a.im);
}
inline double size_of(double a) {
    return std::fabs(a);
}

}  // namespace mubo
