import { MORE_SYNONYM_GROUPS } from "./more-synonym-groups.ts";

/**
 * Synonyms of developers, one group per line, in English, Japanese, Chinese and Korean: abbreviations, spellings,
 * translations. A group contains only terms that are interchangeable in any sentence about software. These groups cover
 * running, storing, securing and selling software; `more-synonym-groups.ts` has the others. An English form is left out
 * if its stem is in the group: `servers`, `decryption` beside `decrypt`. Members in scripts without spaces match inside
 * longer words: so no コード, which is part of レコード.
 */
export const SYNONYM_GROUPS: readonly string[] = `
k8s, kubernetes, クバネティス, クーバネティス, 쿠버네티스
db, database, databases, data base, データベース, 数据库, 資料庫, 데이터베이스, 데이터 베이스
auth, authn, authentication, 認証, 认证, 身份验证, 鉴权, 인증
authz, authorization, authorisation, authorize, authorise, 認可, 授权, 鉴权, 권한 부여
permission, permissions, perms, privilege, privileges, privs, access right, 権限, アクセス権, 权限, 권한
login, log in, log-in, logged in, signin, sign in, sign-in, ログイン, サインイン, 登录, 登陆, 登入, 로그인
logout, log out, log-out, logged out, signout, sign out, sign-out, logoff, ログアウト, サインアウト, 登出, 注销, 退出登录, 로그아웃
signup, sign up, sign-up, サインアップ, 新規登録, 会員登録, 用户注册, 注册账号, 회원가입, 회원 가입
password, passwd, pwd, パスワード, 密码, 密碼, 口令, 비밀번호, 패스워드, 암호
passphrase, pass phrase, パスフレーズ, 密码短语, 암호 구문
config, configuration, configurations, configure, cfg, settings, 設定, 配置, 设置, 설정, 컨피그
environment, environments, env, 環境, 环境, 환경
environment variable, environment variables, env var, env vars, 環境変数, 环境变量, 環境變數, 환경 변수, 환경변수
prod, production, 本番, 本番環境, 生产, 生产环境, 线上, 正式環境, 운영, 프로덕션, 운영 환경, 상용 환경
staging, ステージング, 预发布, 预发, 预生产, 스테이징
dev, development, 開発, 开发, 개발
developer, developers, 開発者, 开发者, 开发人员, 개발자
repository, repositories, repo, リポジトリ, レポジトリ, 仓库, 代码库, 저장소, 리포지토리, 리포지터리, 레포지토리
deploy, deployment, release, releases, rollout, roll out, デプロイ, リリース, 部署, 布署, 发布, 上线, 배포, 릴리스, 릴리즈, 디플로이
rollback, roll back, roll-back, rolled back, revert, ロールバック, 切り戻し, 巻き戻し, 回滚, 回退, 롤백, 되돌리기
bug, defect, バグ, 不具合, 缺陷, 버그, 결함
fix, repair, bugfix, bug fix, bug-fix, 修正, 修复, 수정
hotfix, hot fix, hot-fix, ホットフィックス, 緊急修正, 热修复, 紧急修复, 핫픽스
patch, パッチ, 补丁, 修补程序, 패치
error, err, エラー, 错误, 報錯, 报错, 出错, 에러, 오류
exception, exceptions, 例外, 异常, 예외
failure, failures, fail, 失敗, 失败, 실패
crash, クラッシュ, 崩溃, 闪退, 크래시, 크래쉬
outage, outages, 障害, システム障害, 故障, 宕机, 服务中断, 장애, 서비스 중단
incident, incidents, インシデント, 事故, 인시던트, 사고
postmortem, post mortem, post-mortem, ポストモーテム, 障害報告, 事后复盘, 复盘, 사후 분석, 포스트모템
runbook, run book, playbook, ランブック, 運用手順書, 运维手册, 런북
root cause, 根本原因, 根因, 근본 원인
test, テスト, 测试, 테스트
unit test, unit tests, unit testing, ユニットテスト, 単体テスト, 单元测试, 단위 테스트, 유닛 테스트
integration test, integration tests, 結合テスト, 統合テスト, インテグレーションテスト, 集成测试, 整合測試, 통합 테스트
end to end test, e2e test, e2e, e2eテスト, 端到端测试, 端到端, 종단 간 테스트
load test, load testing, stress test, 負荷テスト, 负载测试, 压力测试, 压测, 부하 테스트, 스트레스 테스트
regression, regressions, リグレッション, デグレ, デグレード, 回帰, 回归, 회귀
coverage, カバレッジ, 網羅率, 覆盖率, 커버리지
mock, モック, 模拟对象, 목 객체, 모킹
fixture, fixtures, フィクスチャ, 测试夹具, 픽스처
benchmark, ベンチマーク, 基准测试, 벤치마크
flaky, flakiness, 不安定, 不稳定, 불안정
cache, caches, caching, cached, キャッシュ, 缓存, 快取, 캐시, 캐쉬
queue, キュー, 队列, 佇列, 대기열
message, messages, msg
message queue, メッセージキュー, 消息队列, 訊息佇列, 메시지 큐, 메시지큐
dead letter queue, dlq, デッドレターキュー, 死信队列, 데드 레터 큐
retry, retries, re-try, リトライ, 再試行, 重试, 重試, 재시도
backoff, back-off, バックオフ, 백오프
timeout, time out, time-out, timed out, タイムアウト, 超时, 逾時, 타임아웃, 시간 초과
rate limit, rate limits, rate limiting, ratelimit, rate-limit, throttle, throttling, レート制限, スロットリング, 流量制限, 限流, 速率限制, 속도 제한, 요청 제한
circuit breaker, サーキットブレーカー, 熔断, 熔断器, 断路器, 서킷 브레이커
latency, latencies, レイテンシ, 遅延, 延迟, 时延, 지연, 지연 시간, 레이턴시
throughput, スループット, 吞吐量, 吞吐, 처리량
performance, perf, パフォーマンス, 性能, 效能, 성능
bottleneck, ボトルネック, 瓶颈, 병목
memory leak, memory leaks, メモリリーク, 内存泄漏, 内存泄露, 記憶體洩漏, 메모리 누수
memory, メモリ, メモリー, 内存, 記憶體, 메모리
out of memory, oom, メモリ不足, 内存不足, 内存溢出, 메모리 부족
disk, ディスク, 磁盘, 硬盘, 磁碟, 디스크
disk space, ディスク容量, 空き容量, 磁盘空间, 디스크 공간, 디스크 용량
storage, ストレージ, 存储, 儲存, 스토리지
cpu, プロセッサ, 处理器, 处理機, 프로세서
thread, スレッド, 线程, 執行緒, 스레드, 쓰레드
multithreaded, multi-threaded, multithreading, multi-threading, マルチスレッド, 多线程, 多執行緒, 멀티스레드, 멀티스레딩
thread pool, threadpool, スレッドプール, 线程池, 執行緒池, 스레드 풀, 스레드풀
process, プロセス, 进程, 行程, 프로세스
deadlock, dead lock, dead-lock, デッドロック, 死锁, 교착 상태, 데드락
lock, ロック, 加锁, 锁定, 잠금
mutex, ミューテックス, 排他制御, 互斥锁, 互斥量, 뮤텍스
semaphore, semaphores, セマフォ, 信号量, 세마포어
event loop, イベントループ, 事件循环, 이벤트 루프
event, イベント, 事件, 이벤트
transaction, transactions, txn, tx, トランザクション, 事务, 交易, 트랜잭션
index, indices, idx, インデックス, 索引, 인덱스, 색인
query, queries, クエリ, 查询, 쿼리, 질의
schema, スキーマ, 表结构, 스키마
table, tables, テーブル, 数据表, 資料表, 테이블
column, カラム, 字段, 欄位, 컬럼, 칼럼
field, フィールド, 字段, 欄位, 필드
primary key, 主キー, プライマリキー, 主键, 기본 키, 기본키
foreign key, 外部キー, 外键, 외래 키, 외래키
stored procedure, ストアドプロシージャ, 存储过程, 預存程序, 저장 프로시저
migration, migrations, migrate, マイグレーション, 移行, 迁移, 마이그레이션
backup, back up, back-up, バックアップ, 备份, 備份, 백업
restore, restored, リストア, 復元, 恢复, 还原, 복원, 복구
recovery, recover, 復旧, リカバリ, リカバリー, 恢复, 복구
disaster recovery, 災害復旧, ディザスタリカバリ, 容灾, 灾难恢复, 재해 복구
snapshot, スナップショット, 快照, 스냅샷
replica, replication, レプリカ, レプリケーション, 副本, 复制, 레플리카, 복제, 리플리카
failover, fail over, fail-over, フェイルオーバー, フェールオーバー, 故障转移, 容錯移轉, 페일오버, 장애 조치
fallback, fall back, fall-back, フォールバック, 폴백, 兜底
high availability, 高可用性, 高可用, 고가용성
redundancy, redundant, 冗長化, 冗長性, 冗余, 이중화
connection, connections, conn, 接続, コネクション, 连接, 连线, 연결, 커넥션
connection pool, connection pooling, コネクションプール, 接続プール, 连接池, 연결 풀, 커넥션 풀, 커넥션풀
session, sess, セッション, 会话, 會話, 세션
cookie, cookies, クッキー, 쿠키
token, トークン, 令牌, 토큰
certificate, certificates, cert, 証明書, 证书, 憑證, 인증서
encryption, encrypt, 暗号化, 加密, 암호화
decrypt, 復号, 復号化, 解密, 복호화
security, セキュリティ, 安全性, 安全, 보안
vulnerability, vulnerabilities, 脆弱性, 漏洞, 弱點, 취약점
signature, signatures, 署名, 签名, 簽章, 서명
hash, ハッシュ, 哈希, 散列, 雜湊, 해시
checksum, チェックサム, 校验和, 체크섬
secret, シークレット, 机密, 密钥, 시크릿
credential, credentials, cred, 認証情報, 資格情報, 凭据, 자격 증명
api key, api keys, apikey, apiキー, api密钥, api 密钥, api키, api 키
private key, private keys, 秘密鍵, 私钥, 개인 키, 개인키
public key, public keys, 公開鍵, 公钥, 공개 키, 공개키
key rotation, rotate key, rotate keys, 鍵のローテーション, キーローテーション, 密钥轮换, 키 교체, 키 로테이션
single sign on, single sign-on, sso, シングルサインオン, 单点登录, 單一登入, 통합 로그인, 싱글 사인온
two factor authentication, two-factor, two factor, multi factor authentication, multi-factor, multi factor, 2fa, mfa, 二段階認証, 二要素認証, 多要素認証, 双因素认证, 多因素认证, 两步验证, 2단계 인증, 이중 인증, 다중 인증
role based access control, role-based access control, rbac, ロールベースアクセス制御, 基于角色的访问控制, 역할 기반 접근 제어
access control, アクセス制御, 访问控制, 存取控制, 접근 제어
personal data, personal information, pii, 個人情報, 个人信息, 個資, 개인정보, 개인 정보
firewall, fire wall, ファイアウォール, ファイアーウォール, 防火墙, 방화벽
proxy, proxies, プロキシ, 代理服务器, 代理, 프록시
reverse proxy, リバースプロキシ, 反向代理, 리버스 프록시
load balancer, load balancers, load balancing, loadbalancer, ロードバランサ, ロードバランサー, 负载均衡, 負載平衡, 로드 밸런서, 로드밸런서, lb
gateway, gateways, ゲートウェイ, 网关, 閘道, 게이트웨이
server, srv, サーバ, サーバー, 服务器, 服务端, 伺服器, 서버
service, services, svc
microservice, microservices, micro service, マイクロサービス, 微服务, 마이크로서비스, 마이크로 서비스
client, クライアント, 客户端, 用戶端, 클라이언트
frontend, front end, front-end, フロントエンド, 前端, 프론트엔드, 프런트엔드, 프론트 엔드
backend, back end, back-end, バックエンド, 后端, 後端, 백엔드, 백 엔드
full stack, fullstack, full-stack, フルスタック, 全栈, 풀스택
api, 接口
interface, interfaces, インターフェース, インタフェース, インターフェイス, 接口, 介面, 인터페이스
user interface, ui, ユーザーインターフェース, 用户界面, 使用者介面, 사용자 인터페이스
user experience, ux, ユーザー体験, 用户体验, 사용자 경험
command line, command-line, commandline, cli, コマンドライン, 命令行, 명령줄, 커맨드라인, 명령행
command, cmd, コマンド, 命令, 指令, 명령어, 커맨드
script, スクリプト, 脚本, 指令碼, 스크립트
endpoint, end point, end-point, エンドポイント, 端点, 엔드포인트
request, req, リクエスト, 请求, 요청
response, responses, resp, レスポンス, 响应, 回應, 응답
header, ヘッダー, ヘッダ, 请求头, 標頭, 헤더
payload, ペイロード, 载荷, 负载数据, 페이로드
file, ファイル, 文件, 檔案, 파일
directory, directories, folder, dir, フォルダ, フォルダー, ディレクトリ, 目录, 文件夹, 資料夾, 폴더, 디렉터리, 디렉토리
file system, filesystem, file-system, ファイルシステム, 文件系统, 檔案系統, 파일 시스템, 파일시스템
filename, filenames, file name, file-name, ファイル名, 文件名, 檔名, 파일 이름, 파일명
path, パス, 路径, 경로
log, logging, ログ, 日志, 日誌, 로그
logfile, log file, log-file, ログファイル, 日志文件, 로그 파일
log level, loglevel, ログレベル, 日志级别, 로그 레벨, 로그 수준
monitoring, monitor, 監視, モニタリング, 监控, 监视, 모니터링
observability, o11y, オブザーバビリティ, 可観測性, 可观测性, 관측성, 관측 가능성
dashboard, ダッシュボード, 仪表板, 仪表盘, 대시보드
alert, アラート, 告警, 警报, 报警, 알림, 경보
metric, メトリクス, メトリック, 指标, 지표, 메트릭
tracing, トレーシング, 链路追踪, 트레이싱
health check, health checks, healthcheck, health-check, ヘルスチェック, 健康检查, 헬스 체크, 헬스체크, 상태 확인
heartbeat, heart beat, ハートビート, 心跳, 하트비트
dependency, dependencies, dep, 依存, 依存関係, 依赖, 相依, 의존성, 종속성
package, packages, pkg, パッケージ, 软件包, 套件, 패키지
package manager, パッケージマネージャ, パッケージマネージャー, 包管理器, 패키지 매니저, 패키지 관리자
library, libraries, lib, ライブラリ, ライブラリー, 程序库, 类库, 函式庫, 라이브러리
framework, フレームワーク, 框架, 프레임워크
module, modules, モジュール, 模块, 模組, 모듈
plugin, plug in, plug-in, プラグイン, 插件, 外掛, 플러그인
extension, extensions, 拡張機能, 扩展, 擴充功能, 확장 기능, 익스텐션
middleware, middle ware, middle-ware, ミドルウェア, 中间件, 中介軟體, 미들웨어
version, ver, バージョン, ヴァージョン, 版本, 버전
upgrade, upgrades, upgrading, アップグレード, バージョンアップ, 升级, 업그레이드
downgrade, downgrades, ダウングレード, 降级, 다운그레이드
update, updates, updating, アップデート, 更新, 업데이트, 갱신
install, installation, installs, インストール, 安装, 설치
uninstall, uninstallation, アンインストール, 卸载, 解除安裝, 설치 제거
build, ビルド, 构建, 編譯, 编译, 빌드
compile, compiled, compilation, compiler, コンパイル, コンパイラ, 编译, 编译器, 컴파일, 컴파일러
pipeline, pipelines, パイプライン, 流水线, 管線, 파이프라인
continuous integration, ci, 継続的インテグレーション, 持续集成, 지속적 통합
continuous delivery, continuous deployment, 継続的デリバリー, 持续交付, 持续部署, 지속적 배포
container, containers, コンテナ, コンテナー, 容器, 컨테이너
image, images, イメージ, 镜像, 映像檔, 이미지
picture, pictures, 画像, 图片, 图像, 그림
cluster, クラスタ, クラスター, 集群, 叢集, 클러스터
node, ノード, 节点, 노드
instance, instances, インスタンス, 实例, 執行個體, 인스턴스
virtual machine, virtual machines, vm, 仮想マシン, 虚拟机, 虛擬機器, 가상 머신, 가상머신
virtual environment, virtualenv, venv, 仮想環境, 虚拟环境, 가상 환경, 가상환경
data center, data centers, data centre, datacenter, datacentre, data-center, データセンター, データセンタ, 数据中心, 機房, 机房, 데이터 센터, 데이터센터
availability zone, availability zones, アベイラビリティゾーン, 可用区, 可用性區域, 가용 영역, 가용영역
region, リージョン, 区域, 리전
cloud, クラウド, 云端, 클라우드
serverless, サーバーレス, サーバレス, 无服务器, 서버리스
infrastructure, infra, インフラ, 基盤, 基础设施, 基礎架構, 인프라
scheduled job, scheduled task, cron, cron job, cronjob, 定期実行, 定时任务, 排程工作, 스케줄 작업, 예약 작업, 크론
scheduler, schedulers, スケジューラ, スケジューラー, 调度器, 排程器, 스케줄러, 스케쥴러
schedule, schedules, スケジュール, 日程, 排期, 일정, 스케줄, 스케쥴
deadline, deadlines, due date, 締め切り, 締切, 期日, 截止日期, 截止时间, 마감, 마감일
batch, バッチ, 批处理, 批量, 批次, 배치
job, ジョブ, 作业, 任务, 작업
task, タスク, 任务, 태스크, 작업
worker, ワーカー, 工作进程, 工作线程, 워커
webhook, web hook, web-hook, ウェブフック, 网络钩子, 웹훅, 웹 훅
websocket, web socket, web-socket, ウェブソケット, 웹소켓, 웹 소켓
inventory, stock, 在庫, 库存, 재고
warehouse, warehouses, 倉庫, 창고
order, 注文, 订单, 下单, 주문
cart, shopping cart, カート, 购物车, 장바구니
purchase, purchases, 購入, 购买, 구매
price, 価格, 价格, 料金, 가격
discount, 割引, 折扣, 할인
coupon, クーポン, 优惠券, 쿠폰
payment, 決済, 支払い, 支払, 支付, 付款, 결제, 지불
billing, 課金, 计费, 과금
invoice, invoices, 請求書, 发票, 账单, 청구서, 송장
receipt, 領収書, 收据, 영수증
refund, 返金, 払い戻し, 払戻し, 払戻, 退款, 환불
revenue, 売上, 売り上げ, 売上げ, 売上高, 营收, 매출
tax, 税金, 税額, 税费, 세금
currency, currencies, 通貨, 货币, 통화
contract, 契約, 合同, 合約, 계약
subscription, subscriptions, subscribe, サブスクリプション, 定期購読, 订阅, 구독
shipping, shipment, 出荷, 配送, 发货, 배송
customer, customers, 顧客, お客様, 客户, 고객
user, ユーザー, ユーザ, 用户, 使用者, 사용자, 유저
admin, administrator, administrators, 管理者, 管理员, 관리자
account, アカウント, 账号, 帐号, 账户, 帐户, 帳號, 계정
tenant, テナント, 租户, 테넌트
notification, notifications, 通知, 알림
email, e-mail, mail, メール, 邮件, 电子邮件, 이메일, 메일
attachment, attachments, 添付ファイル, 添付, 附件, 첨부 파일, 첨부파일
search, 検索, 搜索, 搜尋, 검색
full text search, full-text search, 全文検索, 全文搜索, 全文检索, 전문 검색
sort, ソート, 並び替え, 並べ替え, 並替え, 排序, 정렬
filter, フィルタ, フィルター, 絞り込み, 絞込み, 过滤, 筛选, 필터, 필터링
pagination, paginate, paging, ページネーション, ページング, ページ送り, 分页, 페이지네이션, 페이징
upload, アップロード, 上传, 업로드
download, ダウンロード, 下载, 下載, 다운로드
delete, deleted, deletion, deletes, remove, removed, removal, removes, 削除, 删除, 刪除, 移除, 삭제
create, created, creates, creation, 作成, 创建, 新建, 생성
duplicate, duplicates, duplicated, duplication, 重複, 重复, 중복
setup, set up, set-up, セットアップ, 셋업
startup, start up, start-up, スタートアップ, 启动
shutdown, shut down, shut-down, シャットダウン, 停机, 关机, 셧다운
restart, reboot, リスタート, 再起動, 重启, 重新啟動, 재시작, 재부팅
checkout, check out, check-out, チェックアウト, 체크아웃
cleanup, clean up, clean-up, クリーンアップ, 清理, 클린업
lookup, look up, look-up, ルックアップ, 룩업
teardown, tear down, tear-down, ティアダウン
standby, stand-by, スタンバイ, 备用, 스탠바이
uptime, up-time, 稼働時間, 가동 시간
downtime, down-time, ダウンタイム, 停止時間, 停机时间, 다운타임
runtime, run-time, ランタイム, 运行时, 執行期, 런타임
realtime, real time, real-time, リアルタイム, 实时, 即時, 실시간
offline, off-line, オフライン, 离线, 오프라인
online, on-line, オンライン, 在线, 온라인
upstream, up-stream, アップストリーム, 上流, 上游, 업스트림
downstream, down-stream, ダウンストリーム, 下流, 下游, 다운스트림
username, usernames, user name, user-name, ユーザー名, ユーザ名, 用户名, 使用者名稱, 사용자 이름, 사용자명
user id, userid, user-id, ユーザーid, 用户id, 사용자 id
workflow, work flow, work-flow, ワークフロー, 工作流, 工作流程, 워크플로, 워크플로우
workspace, workspaces, work space, work-space, ワークスペース, 工作区, 작업 공간, 워크스페이스
`
  .trim()
  .split("\n")
  .concat(MORE_SYNONYM_GROUPS);
