#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"

crate() { [ -n "$SKIP" ] || cargo init -q ${2:---lib} --vcs none --name $1 . >/dev/null 2>&1; }
new cargo-build cargo
crate shop --bin; cat > src/main.rs <<'E'
mod cart;
fn unused_error() {}
fn main() {
    let c = cart::Cart::new();
    let t: u32 = c.total();
    println!("{t}");
}
E
[ -z "$SKIP" ] && cat > src/cart.rs <<'E'
pub struct Cart { items: Vec<(String, u64)> }
impl Cart {
    pub fn new() -> Self { Cart { items: vec![] } }
    pub fn total(&self) -> u64 { self.items.iter().map(|i| i.1).sum() }
    pub fn take(self) -> Vec<(String, u64)> { let a = self.items; drop(self.items); a }
}
E
run <<'END'
cargo --version
cargo build
END

new cargo-test cargo
crate ledger; cat > src/lib.rs <<'E'
pub fn split(total: u64, n: u64) -> Vec<u64> { (0..n).map(|_| total / n).collect() }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn error_is_shown() { eprintln!("error: shown on purpose"); }
    #[test] #[should_panic] fn division() { split(1, 0); let v: Vec<u64> = vec![]; let _ = v[0]; }
    #[test] fn splits_evenly() { assert_eq!(split(100, 4), vec![25; 4]); }
    #[test] fn loses_nothing() { assert_eq!(split(100, 3).iter().sum::<u64>(), 100, "cents are lost"); }
}
E
run <<'END'
cargo test
END

new cargo-test-many cargo
crate parse; { echo '#[cfg(test)] mod tests {'; for i in $(seq 1 700); do if [ $i = 412 ]; then echo "#[test] fn error_case_$i() { println!(\"trying error $i\"); let v: Result<u32, String> = Err(\"unexpected token at 4:12\".into()); v.unwrap(); }"; else echo "#[test] fn error_case_$i() { assert!($i > 0); }"; fi; done; echo '}'; } > src/lib.rs
run <<'END'
cargo test --no-fail-fast
END

new cargo-clippy cargo
crate tidy; cat > src/lib.rs <<'E'
pub fn has(v: &Vec<u32>, n: u32) -> bool {
    for i in 0..v.len() { if v[i] == n { return true; } }
    return false;
}
E
run <<'END'
cargo fmt --check || true
cargo clippy -- -D warnings
END

new cargo-bad-manifest cargo
crate web; printf '\n[dependencies]\nflightdeck-nonexistent-crate-x = "3"\n' >> Cargo.toml
run <<'END'
cargo fetch
cargo build
END

new cargo-no-crate cargo
crate mail; echo 'flightdeck-nonexistent-crate-x = "3"' >> Cargo.toml
run <<'END'
cargo fetch
cargo build
END

new cargo-deps-error cargo
crate api --bin; printf 'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\nregex = "1"\nrand = "0.8"\n' >> Cargo.toml
cat > src/main.rs 2>/dev/null <<'E'
use serde::Serialize;
struct Inner { n: u32 }
#[derive(Serialize)]
struct Outer { inner: Inner }
fn main() { println!("{}", serde_json::to_string(&Outer { inner: Inner { n: 1 } }).unwrap()); }
E
run <<'END'
cargo build --color always
cargo test
END

new rustc-borrow rustc
cat > main.rs <<'E'
fn longest(a: &str, b: &str) -> &str { if a.len() > b.len() { a } else { b } }
fn main() { let mut v = vec![1, 2, 3]; let f = &v[0]; v.push(4); println!("{f} {}", longest("a", "b")); }
E
run <<'END'
rustc --version
rustc main.rs
END

new rust-panic-run cargo
crate tool --bin; cat > src/main.rs <<'E'
use std::collections::HashMap;
fn main() {
    let m: HashMap<&str, u32> = HashMap::from([("a", 1)]);
    for k in ["a", "b"] { println!("{k}: {}", lookup(&m, k)); }
}
fn lookup(m: &HashMap<&str, u32>, k: &str) -> u32 { *m.get(k).expect("key is in the index") }
E
run <<'END'
RUST_BACKTRACE=1 cargo run --release
END

new javac javac
mkdir -p src/shop; cat > src/shop/Cart.java <<'E'
package shop;
import java.util.*;
public class Cart {
  private final List<String> items = new ArrayList();
  public int total() { return items.stream().mapToInt(String::length).sum() }
  public Strin name() { return null; }
}
E
run <<'END'
javac -version
javac -Xlint:all -d out src/shop/Cart.java
END

new java-caused-by java
mkdir -p src; cat > src/Main.java <<'E'
import java.util.logging.*;
public class Main {
  static String load(String p) { try { return new String(java.nio.file.Files.readAllBytes(java.nio.file.Path.of(p))); } catch (java.io.IOException e) { throw new IllegalStateException("Configuration could not be loaded", e); } }
  static void start() { try { load("/etc/shop/shop.properties"); } catch (RuntimeException e) { throw new RuntimeException("Application failed to start", e); } }
  public static void main(String[] a) { Logger l = Logger.getLogger("shop"); for (int i = 0; i < 15; i++) l.warning("error page " + i + " has no template, using the default"); start(); }
}
E
run <<'END'
javac -d out src/Main.java
java -cp out Main
END

pom() { mkdir -p src/main/java/shop src/test/java/shop; cat > pom.xml <<E
<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>shop</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency>$1</dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin></plugins></build></project>
E
cat > src/main/java/shop/Price.java <<'E'
package shop;
public class Price { public static long cents(String s) { return (long) (Double.parseDouble(s) * 100); } }
E
cat > src/test/java/shop/PriceTest.java <<'E'
package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
class PriceTest {
  @Test void parses() { assertEquals(100, Price.cents("1")); }
  @Test void errors() { System.err.println("ERROR expected failure"); assertThrows(NumberFormatException.class, () -> Price.cents("x")); }
  @RepeatedTest(30) void warns() { System.out.println("[ERROR] not really, only a log line of the test"); }
}
E
}
new maven-surefire maven
pom; cat > src/test/java/shop/RoundingTest.java <<'E'
package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class RoundingTest {
  @Test void keepsCents() { assertEquals(1999, Price.cents("19.99"), "19.99"); }
  @Test void boom() { Object o = null; o.toString(); }
}
E
run <<'END'
mvn -B verify
END

new maven-compile maven
pom; cat > src/main/java/shop/Main.java <<'E'
package shop;
public class Main { public static void main(String[] a) { int c = Price.cents("1"); Prise p; System.out.println(c) } }
E
sed -i 's/(c) } }/(c); } }/' src/main/java/shop/Main.java
run <<'END'
mvn -B -Dstyle.color=always package
END

new maven-no-dependency maven
pom '<dependency><groupId>com.example.internal</groupId><artifactId>billing-client</artifactId><version>4.2.0</version></dependency>'
run <<'END'
mvn -B -e test
END

new gradle-task gradle
mkdir -p src/main/java; echo 'class A { int x = "s"; }' > src/main/java/A.java; printf "apply plugin: 'java'\n" > build.gradle
run <<'END'
gradle --no-daemon build
END
