PART=sealed; . "$(dirname "$0")/lib.sh"

new alpha-gcc-syntax-make make
put Makefile <<'E'
SRC := $(wildcard src/*.c)
OBJ := $(SRC:.c=.o)
libalpha.a: $(OBJ)
	ar rcs $@ $^
%.o: %.c
	@echo "  CC $<"
	@$(CC) -Wall -c $< -o $@
E
many 9 src/mod@.c <<'E'
int error_code@(void) { return @; }
E
put src/mod6.c <<'E'
#include <stdio.h>
struct point { int x, y; }
static int norm(struct point p) { return p.x + p.y; }
void show(struct point p) { printf("%d\n", norm(p)); }
E
run <<'E'
make -j2
nm libalpha.a
E

new beta-clang-nomatch clang
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.16)
project(beta CXX)
set(CMAKE_CXX_STANDARD 17)
add_executable(beta main.cpp shape.cpp)
E
put shape.hpp <<'E'
#pragma once
#include <string>
#include <vector>
struct Shape { std::string name; double area; };
double total(const std::vector<Shape>& shapes, double scale);
E
put shape.cpp <<'E'
#include "shape.hpp"
double total(const std::vector<Shape>& s, double k) { int error; double t = 0; for (auto& x : s) t += x.area * k; return t; }
E
put main.cpp <<'E'
#include "shape.hpp"
#include <cstdio>
int main() { std::vector<Shape> s{{"a", 2}}; std::printf("%f\n", total(s, "double")); }
E
run <<'E'
clang++ --version | head -1
CXX=clang++ cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug
cmake --build build
E

new gamma-gcc-multiple-def gcc
put Makefile <<'E'
all: app
app: main.o log.o net.o
	$(CC) $^ -o $@
E
put log.h <<'E'
#ifndef LOG_H
#define LOG_H
int log_level = 2;
void log_error(const char *s);
#endif
E
put log.c <<'E'
#include <stdio.h>
#include "log.h"
void log_error(const char *s) { if (log_level) fprintf(stderr, "error: %s\n", s); }
E
put net.c <<'E'
#include "log.h"
void net(void) { log_error("no network"); }
E
put main.c <<'E'
#include "log.h"
void net(void);
int main(void) { net(); return 0; }
E
run <<'E'
make all
./app
E

new delta-cmake-minimum cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.31)
project(delta C)
E
run <<'E'
cmake --version
cmake -B build
cmake --build build
E

new epsilon-cmake-subdir cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.10)
project(epsilon C)
message(WARNING "ERROR_REPORTING is off")
add_subdirectory(lib)
add_subdirectory(third_party/miniz)
add_executable(epsilon main.c)
target_link_libraries(epsilon PRIVATE util miniz)
E
put lib/CMakeLists.txt <<'E'
add_library(util util.c)
E
put lib/util.c <<'E'
int util(void) { return 1; }
E
put main.c <<'E'
int main(void) { return 0; }
E
put .gitmodules <<'E'
[submodule "third_party/miniz"]
	path = third_party/miniz
	url = ../miniz.git
E
[ -n "$SKIP" ] || mkdir -p third_party/miniz
run <<'E'
cmake -S . -B build
make -C build
E

new zeta-ctest-timeout cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.10)
project(zeta C)
enable_testing()
add_executable(spin spin.c)
add_test(NAME fast COMMAND spin 0)
add_test(NAME drains_queue COMMAND spin 30)
set_tests_properties(drains_queue PROPERTIES TIMEOUT 2)
add_test(NAME prints_error COMMAND ${CMAKE_COMMAND} -E echo "error: simulated")
E
put spin.c <<'E'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int c, char **v) { int n = atoi(v[1]); for (int i = 0; i < n; i++) { printf("queue: %d left\n", n - i); fflush(stdout); sleep(1); } return 0; }
E
run <<'E'
cmake -B b > /dev/null
cmake --build b
cd b && ctest -V
E

new eta-gtest-matrix gtest
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.14)
project(eta CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
enable_testing()
add_executable(unit matrix_test.cpp)
target_link_libraries(unit GTest::gtest_main)
include(GoogleTest)
gtest_discover_tests(unit)
E
put matrix_test.cpp <<'E'
#include <gtest/gtest.h>
#include <array>
using M = std::array<double, 4>;
static double det(const M& m) { return m[0] * m[3] + m[1] * m[2]; }
TEST(Matrix, Identity) { EXPECT_DOUBLE_EQ(det({1, 0, 0, 1}), 1); }
TEST(Matrix, ErrorsAreSmall) { EXPECT_NEAR(det({1, 0, 0, 1}), 1, 1e-9); }
TEST(Matrix, Singular) { const M m{1, 2, 2, 4}; ASSERT_EQ(det(m), 0) << "rows are multiples of each other"; }
E
run <<'E'
cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=Release
cmake --build build
ctest --test-dir build --output-on-failure -Q || { ./build/unit --gtest_brief=1; exit 1; }
E

new theta-asan-use-after-free gcc
put Makefile <<'E'
CFLAGS = -g -fsanitize=address -fno-omit-frame-pointer
check: list_test
	./list_test
list_test: list_test.c list.c
	gcc $(CFLAGS) -o $@ $^
E
put list.c <<'E'
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }
int drain(struct node *l) { int s = 0; while (l) { s += l->v; free(l); l = l->next; } return s; }
E
put list_test.c <<'E'
#include <stdio.h>
struct node; struct node *push(struct node *, int); int drain(struct node *);
int main(void) { puts("test push ok"); puts("test error paths ok"); fflush(stdout); return drain(push(push(0, 1), 2)) != 3; }
E
run <<'E'
make check
E

new iota-configure-pkg configure
put configure <<'E'
#!/bin/sh
# Checks what the build needs.
check() { printf 'checking for %s... ' "$1"; if eval "$2" > /dev/null 2>> config.log; then echo yes; else echo no; return 1; fi; }
check 'C compiler' 'command -v cc'
check strerror 'echo "int main(){extern char*strerror(int);return !strerror(1);}" | cc -xc - -o conftest' || true
check doxygen 'command -v doxygen' || echo 'configure: warning: documentation will not be built'
check 'libevent >= 2.1' 'pkg-config --exists "libevent >= 2.1"' || { echo 'configure: error: libevent 2.1 or newer is required (see README, "Dependencies")' >&2; exit 1; }
echo 'configured'
E
run <<'E'
chmod +x configure
./configure --prefix=/usr
make -j2
E

new kappa-ninja-missing-input ninja
put build.ninja <<'E'
rule cc
  command = cc -c $in -o $out
  description = CC $out
rule link
  command = cc $in -o $out
build a.o: cc a.c
build error.o: cc error.c
build version.o: cc gen/version.c
build app: link a.o error.o version.o
default app
E
put a.c <<'E'
int main(void) { return 0; }
E
put error.c <<'E'
int error(void) { return 0; }
E
run <<'E'
ninja --version
ninja a.o error.o
ninja
E

new lambda-clang-format-check clang-format
put .clang-format <<'E'
BasedOnStyle: LLVM
E
put src/a.c <<'E'
int error(void) { return 1; }
E
put src/b.c <<'E'
int  f( int a,int b ){ return a+b; }
E
run <<'E'
clang-format --version
clang-format --dry-run --Werror src/a.c src/b.c
E

new mu-make-bison-missing make
put Makefile <<'E'
.DELETE_ON_ERROR:
all: calc
lexer.c: lexer.l
	cp $< $@
parser.c parser.h: parser.y
	bisonx --defines=parser.h -o parser.c $<
calc: lexer.c parser.c
	$(CC) -o $@ $^
E
put lexer.l <<'E'
int lex_error(void) { return 0; }
E
put parser.y <<'E'
%%
E
run <<'E'
make --no-print-directory
E

new nu-gcc-implicit-error gcc
put build.sh <<'E'
#!/bin/sh
set -e
for f in src/*.c; do
  echo "compile $f"
  gcc -std=c11 -Wall -Wextra -Werror=implicit-function-declaration -Werror=format -c "$f" -o "/tmp/exam/$(basename "$f").o"
done
echo "linking"
E
put src/a.c <<'E'
#include <stdio.h>
int error_total(int unused) { printf("errors\n"); return 0; }
E
put src/b.c <<'E'
#include <string.h>
long parse(const char *s) { int n; return s ? strtol(s, 0, 10) : (long)strlen(""); }
E
put src/c.c <<'E'
int c;
E
run <<'E'
sh build.sh
E

new xi-gcc-static-assert gcc
put wire.hpp <<'E'
#pragma once
#include <cstdint>
struct Header { std::uint8_t kind; std::uint32_t length; std::uint16_t crc; };
static_assert(sizeof(Header) == 7, "Header must match the wire format");
template <class T> T load(const unsigned char *p) { T t; __builtin_memcpy(&t, p, sizeof t); return t; }
E
put wire.cpp <<'E'
#include "wire.hpp"
Header read(const unsigned char *p) { return load<Header>(p); }
E
put error.cpp <<'E'
const char *error_name(int) { return "none"; }
E
run <<'E'
g++ -std=c++17 -c error.cpp
g++ -std=c++17 -fdiagnostics-color=always -c wire.cpp
E

pom() { put pom.xml <<E
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>com.example</groupId><artifactId>${NAME%%-*}</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>$1</dependencies><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>$2</plugins></build></project>
E
}
new omicron-mvn-symbol maven
pom
put src/main/java/o/Clock.java <<'E'
package o;
import java.time.*;
public class Clock {
  private Instant last;
  public Duration since(Instant now) { return Duration.between(last, now); }
  @Deprecated public Date legacy() { return null; }
}
E
put src/main/java/o/ErrorCounter.java <<'E'
package o;
public class ErrorCounter { int n; void error() { n++; } }
E
run <<'E'
mvn -B -ntp -Dstyle.color=never compile
E

new pi-mvn-junit4-timeout maven
pom '<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency>'
put src/test/java/p/PoolTest.java <<'E'
package p;
import static org.junit.Assert.*;
import org.junit.*;
public class PoolTest {
  @Test public void logsErrors() { System.out.println("ERROR pool exhausted (simulated)"); new IllegalStateException("simulated").printStackTrace(); }
  @Test(timeout = 300) public void returnsConnections() throws Exception { Object lock = new Object(); synchronized (lock) { lock.wait(); } }
  @Test(expected = ArithmeticException.class) public void divides() { int z = 0; System.out.println(1 / z); }
}
E
run <<'E'
mvn -B -ntp -q test
E

new rho-mvn-malformed-pom maven
put pom.xml <<'E'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>rho</artifactId>
  <version>1.0</version>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
    </dependency>
    <dependency>
      <groupId>com.example</groupId>
      <artifactId>error-codes</artifactId>
      <version>${codes.version}</version>
    </dependency>
  </dependencies>
</project>
E
run <<'E'
mvn --version | head -1
mvn -B -ntp package
E

new sigma-gradle-test gradle
put settings.gradle <<'E'
rootProject.name = 'sigma'
E
put build.gradle <<'E'
apply plugin: 'java'
repositories { mavenCentral() }
dependencies { testCompile 'junit:junit:4.13.2' }
test { testLogging { exceptionFormat 'full'; events 'passed', 'failed', 'standard_error' } }
E
put src/main/java/s/Sum.java <<'E'
package s;
public class Sum { public static long of(int... xs) { int t = 0; for (int x : xs) t += x; return t; } }
E
put src/test/java/s/SumTest.java <<'E'
package s;
import static org.junit.Assert.*;
import org.junit.Test;
public class SumTest {
  @Test public void small() { System.err.println("error margin 0"); assertEquals(3, Sum.of(1, 2)); }
  @Test public void big() { assertEquals("does not overflow", 4294967294L, Sum.of(Integer.MAX_VALUE, Integer.MAX_VALUE)); }
}
E
run <<'E'
gradle --no-daemon --console=plain -q clean
gradle --no-daemon --console=plain test
E

new tau-gradle-script gradle
put settings.gradle <<'E'
rootProject.name = 'tau'
E
put build.gradle <<'E'
apply plugin: 'java'
version = file('VERSION').text.trim()
task errorCodes(type: Copy) { from 'codes'; into 'build/codes' }
compileJava.dependsOn errorCodez
E
put VERSION <<'E'
1.0
E
run <<'E'
cat VERSION
gradle --no-daemon --console=plain assemble
E

new upsilon-java-classpath java
put src/u/Main.java <<'E'
package u;
import u.lib.Codes;
public class Main { public static void main(String[] a) { System.out.println("starting, error level " + a.length); System.out.println(Codes.name(3)); } }
E
put src/u/lib/Codes.java <<'E'
package u.lib;
public class Codes { public static String name(int n) { return "E" + n; } }
E
run <<'E'
javac -d out $(find src -name '*.java')
jar --create --file app.jar --main-class u.Main -C out u/Main.class
java -jar app.jar
E

new phi-javadoc-doclint javadoc
put src/f/Flow.java <<'E'
package f;
/** A flow of <b>things. */
public class Flow {
  /** Runs it.
   * @param steps how many
   * @return the rest */
  public void run(int step) { }
  /** Fails with an {@link Missing}. */
  public int error() { return 0; }
}
E
run <<'E'
javac -d out src/f/Flow.java
javadoc -quiet -Xdoclint:all -d docs -sourcepath src f
E
